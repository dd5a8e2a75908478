"""Lists are joined only if their elements have one type: a list may be changed through either."""


def program(n: int) -> int:
    if n > 0:  # error
        values = [1, 2]
    else:
        values = [0.5]
    return len(values)
