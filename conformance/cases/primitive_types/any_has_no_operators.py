"""A value of type Any has no operators before isinstance has told its type."""

from typing import Any


def program(x: Any) -> int:
    if isinstance(x, int):
        return x + 1
    return x + 2  # error
