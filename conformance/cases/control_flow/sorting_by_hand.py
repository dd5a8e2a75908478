"""Nested while loops with subscripts on both sides of assignments."""

from typing import List


def program(values: List[int]) -> List[int]:
    values = values[:]
    n = len(values)
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            item = values[i]
            j = i
            while j >= gap and values[j - gap] > item:
                values[j] = values[j - gap]
                j -= gap
            values[j] = item
        gap = gap // 2
    return values


def inputs():
    return [([],), ([3, 1, 2],), ([5, -1, 5, 0, 9, 2, 2],), (list(range(10, 0, -1)),)]
