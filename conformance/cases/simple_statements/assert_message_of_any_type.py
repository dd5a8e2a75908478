"""An assert's message may be a value of any type; it is written as str() does."""

from typing import List


def program(n: int, values: List[int]) -> int:
    assert n > 0, n
    assert len(values) > n, values
    return values[n]


def inputs():
    return [(1, [5, 6]), (0, [1]), (1, [7])]
