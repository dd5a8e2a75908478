"""An expression's type is the widest of its numbers', and fits where that is wanted: an int sum is no float variable."""

from typing import Tuple


def scale(x: float) -> float:
    return x * 2


def program(a: int, x: float) -> Tuple[float, float]:
    y = a + 0.0
    y = y * a - a // 2
    return y, scale(y + a) + scale(x)


def inputs():
    return [(3, 0.25), (-3, -1.0), (0, 0.0)]
