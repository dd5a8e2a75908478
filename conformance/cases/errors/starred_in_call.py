"""A list cannot be spread into arguments."""

from typing import List


def add(a: int, b: int) -> int:
    return a + b


def program(values: List[int]) -> int:
    return add(*values)  # error
