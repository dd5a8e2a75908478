"""The operators on ints are + - * / ** | & ^ << and >>; each means what its binary form does."""

from typing import List


def program(a: int, b: int) -> List[int]:
    c, d, e, f, g = a, a, a, a, a
    c |= b
    d &= b
    e ^= b
    f <<= 2
    g >>= 1
    return [c, d, e, f, g]


def inputs():
    return [(13, 6), (-13, 6), (7, -4), (0, 1), (1, 0)]
