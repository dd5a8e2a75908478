"""Members have no order."""

from enum import Enum


class Size(Enum):
    SMALL = 1
    LARGE = 2


def program(size: Size) -> bool:
    if size != Size.LARGE:
        return False
    return size < Size.LARGE  # error
