"""A field of a NamedTuple cannot be assigned."""

from typing import NamedTuple


class Point(NamedTuple):
    x: int
    y: int


def program(p: Point) -> int:
    q = Point(p.y, p.x)
    q.x = 3  # error
    return q.x
