"""Slices of lists clip, count from the end, step, and are copies."""

from typing import List


def program(values: List[int], i: int, j: int) -> List[List[int]]:
    whole = values[:]
    whole.append(99)
    return [
        values[i:j],
        values[i:],
        values[:j],
        values[::2],
        values[1::3],
        values[i:j:2],
        values[-3:-1],
        values[100:],
        whole,
        values[-100:2],
    ]


def inputs():
    return [([0, 1, 2, 3, 4, 5], 1, 4), ([0, 1, 2], -2, 10), ([], 0, 1), ([5, 6], 1, 0)]
