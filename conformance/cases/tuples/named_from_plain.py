"""A plain tuple is no NamedTuple, though its items are of the same types."""

from typing import NamedTuple, Tuple


class Point(NamedTuple):
    x: int
    y: float


def plain(n: int) -> Tuple[int, float]:
    return Point(n, 0.5)


def program(n: int) -> Point:
    if n > 0:
        return Point(n, 1.5)
    return plain(n)  # error
