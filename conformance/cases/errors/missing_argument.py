"""A required argument is missing."""


def scale(x: int, factor: int, offset: int = 0) -> int:
    return x * factor + offset


def program(n: int) -> int:
    n = scale(n, 2)
    return scale(n, offset=3)  # error
