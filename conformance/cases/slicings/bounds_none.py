"""A bound that is None is left out, also when only the run shows it."""

from typing import List, Optional


def program(values: List[int], start: Optional[int], end: Optional[int]) -> List[int]:
    return values[start:end] + values[None:1]


def inputs():
    return [([1, 2, 3], None, None), ([1, 2, 3], 1, None), ([1, 2, 3], None, -1), ([], 0, 0)]
