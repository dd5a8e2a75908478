"""If all items of a tuple are of one type, its index may be computed."""

from typing import Tuple


def program(t: Tuple[int, int, int], i: int) -> int:
    return t[i] + t[i - 1]


def inputs():
    return [((1, 2, 3), 0), ((1, 2, 3), 2), ((1, 2, 3), -1), ((1, 2, 3), 3)]
