"""A step of zero raises."""

from typing import List


def program(values: List[int], step: int) -> List[int]:
    copy = values[:]
    return copy[::step]


def inputs():
    return [([1, 2], 0), ([], 0)]
