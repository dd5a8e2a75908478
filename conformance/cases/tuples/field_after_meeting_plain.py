"""What is a NamedTuple in one branch and a plain tuple in the other has no fields."""

from typing import NamedTuple


class Point(NamedTuple):
    x: int
    y: int


def program(flag: bool) -> int:
    either = Point(1, 2) if flag else (3, 4)
    return either.x  # error
