"""hasattr asks objects and NamedTuples, no plain tuple."""

from typing import NamedTuple


class Point(NamedTuple):
    x: int


def program(n: int) -> bool:
    if hasattr(Point(n), "y"):
        return True
    return hasattr((n, n), "x")  # error
