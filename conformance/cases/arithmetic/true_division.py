"""/ of two ints is a float; it is exact only as far as floats are."""

from typing import List


def program(a: int, b: int, x: float) -> List[float]:
    return [a / b, b / a, x / a, a / x, 9007199254740993 / 1]


def inputs():
    return [(6, 3, 0.5), (-7, 2, 3.0), (1, 3, -1.5)]
