"""A negative step walks a list or a string backwards."""

from typing import List, Tuple


def program(values: List[int], s: str, step: int) -> Tuple[List[int], List[int], str]:
    return values[::-1], values[3:0:step], s[::step]


def inputs():
    return [([0, 1, 2, 3, 4], "hello", -1), ([1], "", -2), ([0, 1, 2, 3], "abc", 2)]
