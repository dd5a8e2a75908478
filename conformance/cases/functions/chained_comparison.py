"""A chained comparison is a conjunction of its pairs."""

from typing import List


def program(a: int, b: int, c: float) -> List[bool]:
    inside = a < b <= c
    return [inside, 0 <= a < 3 < b, a == b == 2, not a < b > c, a != b != a]


def inputs():
    return [(1, 2, 2.0), (2, 2, 2.5), (2, 4, 3.9), (-1, 5, -5.0)]
