"""A tuple is no condition of a loop."""


def program(n: int) -> int:
    while (n, 1):  # error
        n -= 1
    return n
