"""* of two ints is an int, with a float a float; zero times infinity is NaN."""

from typing import List, Tuple


def program(a: int, b: int, x: float) -> Tuple[int, List[float]]:
    return a * b, [a * x, x * b, x * x, 0 * x]


def inputs():
    return [(3, -4, 0.5), (0, 7, float("inf")), (-1, -1, -0.0)]
