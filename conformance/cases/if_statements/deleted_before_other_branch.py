"""What the condition says of a variable is told to both branches: the first cannot delete it."""

from typing import Optional


def program(x: Optional[int]) -> int:
    if x is None:  # error
        del x
        return 0
    return 1
