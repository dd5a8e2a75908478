"""- has no meaning for lists, though + has."""

from typing import List


def program(a: List[int], b: List[int]) -> List[int]:
    c = a + b
    return c - b  # error
