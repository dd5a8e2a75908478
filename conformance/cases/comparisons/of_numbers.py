"""Ints and floats are compared by value; NaN is unequal to everything, and in no order."""

from typing import List


def program(a: int, x: float) -> List[bool]:
    return [a == x, a != x, a < x, a <= x, a > x, a >= x]


def inputs():
    return [(1, 1.0), (-1, 0.5), (0, -0.0), (3, float("nan")), (2**53 + 1, 2.0**53)]
