"""A test of one variable refines no other, though it holds the same value."""

from typing import Optional


def program(a: Optional[int]) -> int:
    b = a
    if a is not None:
        return b + 1  # error
    return 0
