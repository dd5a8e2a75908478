"""A str is no list of ints."""

from typing import List


def size(values: List[int]) -> int:
    return len(values)


def program(s: str) -> int:
    n = size([len(s)])
    return n + size(s)  # error
