"""A NamedTuple has no such field."""

from typing import NamedTuple


class Point(NamedTuple):
    x: int
    y: int


def program(p: Point) -> int:
    q = Point(p.y, p.x)
    return q.x + q.z  # error
