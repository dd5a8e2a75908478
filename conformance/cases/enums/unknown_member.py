"""An Enum has the members that its class names."""

from enum import Enum


class Size(Enum):
    SMALL = 1
    LARGE = 2


def program(size: Size) -> bool:
    if size == Size.SMALL:
        return True
    return size == Size.HUGE  # error
