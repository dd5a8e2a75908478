"""Indices may be assigned and deleted, from both ends; beyond them, both raise."""

from typing import List


def program(values: List[int], new: List[int]) -> List[int]:
    values[-1] = 7
    values[1] = values[-2] + 1
    del values[0]
    del values[-1]
    new[len(values)] = 42
    values.extend(new)
    return values


def inputs():
    return [([0, 1, 2, 3], [8, 9]), ([1, 2, 3, 4, 5], [6]), ([1, 2], [3, 4, 5]), ([], [1])]
