"""A keyword that no parameter has."""


def scale(x: int, factor: int = 2) -> int:
    return x * factor


def program(n: int) -> int:
    return scale(n) + scale(n, faktor=3)  # error
