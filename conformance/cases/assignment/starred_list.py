"""A list's length is not known to the compiler, so a star cannot take a part of it."""

from typing import List


def program(values: List[int]) -> int:
    first, *rest = values  # error
    return first
