"""Any is returned as no other type without a test."""

from typing import Any


def program(x: Any, n: int) -> int:
    if n > 0:
        return n
    return x  # error
