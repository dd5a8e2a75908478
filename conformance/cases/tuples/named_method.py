"""A NamedTuple has its fields, and none of the methods that Python adds."""

from typing import NamedTuple


class Point(NamedTuple):
    x: int
    y: float = 0.5


def program(n: int) -> Point:
    p = Point(n)
    p = Point(p.x + 1, p.y)
    return p._replace(x=3)  # error
