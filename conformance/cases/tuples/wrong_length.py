"""A tuple's length is part of its type."""

from typing import Tuple


def first(pair: Tuple[int, int]) -> int:
    return pair[0]


def program(n: int) -> int:
    a = first((n, n))
    return a + first((n, n, n))  # error
