"""A tuple of three is unpacked into two."""

from typing import Tuple


def program(t: Tuple[int, int, int]) -> int:
    a, b, c = t
    a, b = t  # error
    return a + b + c
