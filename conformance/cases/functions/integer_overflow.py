"""Integers are 64 bits wide and wrap around; float arithmetic goes to infinity."""

from typing import Tuple


def program(n: int, x: float) -> Tuple[int, float, int]:
    value = 1
    for i in range(n):
        value = value * 3 + i
        x = x * x
    return value, x, value ^ (value >> 7)


def inputs():
    return [(5, 1.5), (45, 1.0000001), (64, -1.0), (0, 2.0)]
