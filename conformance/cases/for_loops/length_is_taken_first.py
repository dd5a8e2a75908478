"""A list's length is taken before the first turn: what the body appends is not walked, what it removes raises."""

from typing import List


def program(values: List[int], shrink: bool) -> List[int]:
    for value in values:
        if shrink:
            values.pop()
        else:
            values.append(value * 10)
    return values


def inputs():
    return [([1, 2], False), ([], True), ([1, 2, 3], True), ([1], True)]
