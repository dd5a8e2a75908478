"""A tuple's element cannot be assigned."""

from typing import Tuple


def program(t: Tuple[int, int]) -> int:
    t[0] = 3  # error
    return t[0]
