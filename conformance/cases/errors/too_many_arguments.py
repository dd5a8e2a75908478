"""More arguments than parameters."""


def scale(x: int, factor: int = 2) -> int:
    return x * factor


def program(n: int) -> int:
    m = scale(n, 2, 3)  # error
    return m
