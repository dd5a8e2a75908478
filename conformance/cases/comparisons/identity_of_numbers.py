"""Ints, floats and bools have no identity: `is` compares their values."""

from typing import List


def program(a: int, b: int, x: float, y: float) -> List[bool]:
    return [a is b, a is not b, (a > 0) is (b > 0), x is x, x is y, x + 1.0 is y + 1.0]


def inputs():
    nan = float("nan")
    return [
        (1, 1, 0.5, float("0.5")),
        (10**6, int("1000000"), 0.0, -0.0),
        (1, 2, -1.0, 1.0),
        (1, -1, nan, nan),
    ]
