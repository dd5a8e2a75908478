"""An annotation that names no type of the language."""

from typing import Set


def program(n: int, s: Set[int]) -> int:  # error
    return n
