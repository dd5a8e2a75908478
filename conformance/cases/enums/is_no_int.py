"""A member is not its value: an Enum of ints is no int."""

from enum import Enum


class Size(Enum):
    SMALL = 1
    LARGE = 2


def program(size: Size) -> int:
    n = size.value
    return n + size  # error
