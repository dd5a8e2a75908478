"""reverse and sort change the list itself and give None."""

from typing import List, Tuple


def program(values: List[int]) -> Tuple[List[int], List[int]]:
    alias = values
    values.reverse()
    backwards = values.copy()
    values.sort()
    return backwards, alias


def inputs():
    return [([3, 1, 2],), ([],), ([-1, -1, 0],)]
