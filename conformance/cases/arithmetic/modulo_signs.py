"""The remainder of % has the divisor's sign, for ints and for floats."""

from typing import List, Tuple


def program(a: int, b: int, x: float, y: float) -> Tuple[int, List[float]]:
    return a % b, [x % y, a % y, x % b]


def inputs():
    return [(7, 3, 5.5, 2.0), (-7, 3, -5.5, 2.0), (7, -3, 5.5, -2.0), (-6, -3, -4.0, -2.0)]
