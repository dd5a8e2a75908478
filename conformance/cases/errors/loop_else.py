"""A loop's else is not in the language."""


def program(n: int) -> int:
    for i in range(n):  # error
        if i > 2:
            break
    else:
        n = 0
    return n
