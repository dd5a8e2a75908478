"""A call from Python with a member's value or name where the member is wanted raises."""

from enum import Enum


class Size(Enum):
    SMALL = 1
    LARGE = 2


def program(size: Size) -> int:
    return size.value


def inputs():
    return [(1,), ("SMALL",)]
