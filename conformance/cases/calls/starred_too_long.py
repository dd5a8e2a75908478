"""A spread tuple may not have more items than parameters are left."""

from typing import Tuple


def area(width: int, height: int) -> int:
    return width * height


def program(t: Tuple[int, int]) -> int:
    n = area(*t)
    return area(n, *t)  # error
