"""Annotating a variable again gives it another type, in straight-line code."""


def program(n: int) -> int:
    x: int = n
    y = x + 1
    x: str = str(y)
    return len(x) + y


def inputs():
    return [(8,), (9,), (-1,)]
