"""Members are items of lists, defaults and results."""

from enum import Enum
from typing import List


class Size(Enum):
    SMALL = 1
    LARGE = 2


def other(size: Size) -> Size:
    return Size.LARGE if size == Size.SMALL else size


def program(sizes: List[Size]) -> List[Size]:
    return [other(size) for size in sizes] + [Size.SMALL]


def inputs():
    return [([Size.SMALL, Size.LARGE],), ([],)]
