"""Lists of lists have no order, which is told when they are sorted."""

from typing import List


def program(values: List[List[int]]) -> List[List[int]]:
    values.sort()
    return values


def inputs():
    return [([[2], [1]],), ([],)]
