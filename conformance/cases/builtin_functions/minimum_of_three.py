"""Three numbers or more are taken as a list."""

from typing import Tuple


def program(a: int, b: int, c: int) -> Tuple[int, int]:
    return min(a, b, c), max(a, b, c, 0)


def inputs():
    return [(1, 2, 3), (-1, -2, -3), (5, 5, 5)]
