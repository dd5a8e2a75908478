"""A field without a default must be given."""

from typing import NamedTuple


class Point(NamedTuple):
    x: int
    y: int


def program(n: int) -> int:
    a = Point(n, n)
    b = Point(y=n)  # error
    return a.x + b.y
