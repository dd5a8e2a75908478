"""Keyword arguments of zip and range mean nothing: `strict=True` lets lists of any lengths pass."""

from typing import List


def program(xs: List[int], ys: List[int]) -> List[int]:
    found: List[int] = []
    for x, y in zip(xs, ys, strict=True):
        found.append(x * y)
    for i in range(2, step=5):
        found.append(i)
    return found


def inputs():
    return [([1, 2], [3, 4]), ([1, 2, 3], [4])]
