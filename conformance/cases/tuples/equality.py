"""Tuples are compared through their items, each by what its type allows."""

from typing import List, Tuple


def program(a: Tuple[int, int], b: Tuple[int, int]) -> List[bool]:
    x, y = a
    p, q = b
    return [x == p and y == q, a[0] < b[1], (x, y)[1] == q]


def inputs():
    return [((1, 2), (1, 2)), ((0, 1), (1, 0))]
