"""Ints, floats and bools have no identity: `is` compares their values."""

from typing import List


def program(a: int, b: int, x: float) -> List[bool]:
    return [a is b, a is not b, (a > 0) is (b > 0), x is x]


def inputs():
    return [(1, 1, 0.5), (10**6, 10**6, 0.0), (1, 2, -1.0)]
