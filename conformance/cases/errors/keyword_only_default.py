"""Keyword-only parameters with defaults are not in the language."""


def scale(x: int, *, factor: int = 2) -> int:  # error
    return x * factor


def program(n: int) -> int:
    return scale(n)
