"""A bare return leaves a function that yields None."""

from typing import List


def clear(values: List[int], n: int):
    if n < 0:
        return
    for _ in range(n):
        if len(values) == 0:
            return
        values.pop()


def program(values: List[int], n: int) -> List[int]:
    clear(values, n)
    return values


def inputs():
    return [([1, 2, 3], 2), ([1], 5), ([1], -1), ([], 0)]
