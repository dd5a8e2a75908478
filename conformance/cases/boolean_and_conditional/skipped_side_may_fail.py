"""The side that is not needed is not evaluated: what would raise there does not."""

from typing import List


def program(values: List[int], i: int) -> bool:
    return i < len(values) and values[i] > 0


def inputs():
    return [([1, -1], 0), ([1, -1], 1), ([], 0), ([1], 5)]
