"""A list that is not empty is true, so a loop may run until it is used up."""

from typing import List


def program(stack: List[int]) -> int:
    total = 0
    while stack:
        total += stack.pop()
    return total


def inputs():
    return [([1, 2, 3],), ([1, 0, 3],), ([],)]
