"""The side that is needed is evaluated, and raises."""

from typing import List


def program(values: List[int], i: int) -> bool:
    return values[i] > 0 and i < len(values)


def inputs():
    return [([], 0), ([1], 3)]
