"""Tuples have no order."""

from typing import Tuple


def program(a: Tuple[int, int], b: Tuple[int, int]) -> bool:
    n = a[0] + b[0]
    return a < b and n > 0  # error
