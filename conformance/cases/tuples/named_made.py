"""A NamedTuple is made by position or by keyword, and missing fields take their defaults."""

from typing import NamedTuple, Tuple


class Point(NamedTuple):
    x: int
    y: int = 7
    label: str = "p"


def program(n: int) -> Tuple[int, str, Point]:
    a = Point(n)
    b = Point(y=n, x=1, label="b")
    return a.y + b.y, a.label + b[2], Point(a[0], b.x)


def inputs():
    return [(1,), (-2,)]
