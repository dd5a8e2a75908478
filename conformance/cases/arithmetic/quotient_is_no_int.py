"""The quotient of two ints is a float, which is no index."""

from typing import List


def program(values: List[int]) -> int:
    middle = len(values) / 2
    return values[middle]  # error
