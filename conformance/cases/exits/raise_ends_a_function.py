"""A function whose end cannot be reached needs no return there."""

from typing import List


def first_positive(values: List[int]) -> int:
    for value in values:
        if value > 0:
            return value
    raise ValueError("none is positive")


def program(values: List[int]) -> int:
    if len(values) == 0:
        return 0
    else:
        return first_positive(values) * 2


def inputs():
    return [([-1, 4],), ([],), ([0],)]
