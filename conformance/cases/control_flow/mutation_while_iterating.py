"""A list is walked by index with its length taken at the start."""

from typing import List


def program(values: List[int], stop: int) -> List[int]:
    out: List[int] = []
    for value in values:
        out.append(value)
        if value > 0 and len(values) < stop:
            values.append(value - 1)
        if value == -1:
            values[-1] = 50
    return out


def inputs():
    return [([2, 1], 6), ([-1, 5, 7], 0), ([], 3)]
