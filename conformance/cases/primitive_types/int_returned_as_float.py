"""Within the language an int is no float: it is not returned as one."""


def program(n: int) -> float:
    if n > 0:
        return n / 1
    return n  # error
