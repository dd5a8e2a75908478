"""A comprehension's variable is its own: outside it keeps its value, or stays undefined."""

from typing import List


def program(values: List[int], v: int) -> List[int]:
    doubled = [v * 2 for v in values]
    doubled.append(v)
    return doubled


def inputs():
    return [([1, 2], 7), ([], 0)]
