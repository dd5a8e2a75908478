"""A deleted variable may be bound anew, with another type."""

from typing import Tuple


def program(n: int) -> Tuple[str, int]:
    value = n + 1
    kept = value
    del value
    value = str(kept)
    return value, kept


def inputs():
    return [(1,), (-1,)]
