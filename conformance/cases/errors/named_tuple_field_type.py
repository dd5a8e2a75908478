"""A NamedTuple made with a field of the wrong type."""

from typing import NamedTuple


class Point(NamedTuple):
    x: int
    name: str = "p"


def program(n: int) -> Point:
    p = Point(n)
    return Point(p.x, n)  # error
