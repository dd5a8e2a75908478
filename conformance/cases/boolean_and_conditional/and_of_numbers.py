"""Each side of and and or is a condition of its own: an int or a float is true unless it is zero."""


def program(n: int, x: float, flag: bool) -> bool:
    return n and x or flag


def inputs():
    return [(1, 0.0, False), (2, float("nan"), False), (0, 1.0, True), (-1, 0.5, False)]
