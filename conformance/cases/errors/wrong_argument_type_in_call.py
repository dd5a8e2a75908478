"""A callee's parameter wants a list of ints."""

from typing import List


def total(values: List[int]) -> int:
    return sum(values)


def program(n: int) -> int:
    return total([n]) + total([1.5, 2.5])  # error
