"""An int index reads an item of a list, counted from the end if negative; beyond the ends it raises."""

from typing import List


def program(values: List[int], i: int) -> int:
    return values[i] * 10 + values[-1]


def inputs():
    return [([1, 2, 3], 0), ([1, 2, 3], -3), ([1], 1), ([1], -2), ([], 0)]
