"""insert clips its index to the list's ends."""

from typing import List


def program(values: List[int], i: int) -> List[int]:
    values.insert(i, 99)
    return values


def inputs():
    return [([1, 2], 0), ([1, 2], 1), ([1, 2], 50), ([1, 2], -1), ([1, 2], -50), ([], 0)]
