"""A container that a callee changes is seen changed by every later use, and by no earlier one."""

from typing import List, Tuple


def bump(values: List[int]) -> int:
    values[0] += 1
    return values[0]


def program(values: List[int]) -> Tuple[int, int, List[int], Tuple[int, int]]:
    before = values[0]
    after = values[0] + bump(values) + values[0]
    pair = (bump(values), bump(values))
    kept = [values[0], bump(values), values[0]]
    return before, after, kept, pair


def inputs():
    return [([0],), ([-3, 7],), ([],)]
