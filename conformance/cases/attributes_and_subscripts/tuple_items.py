"""A tuple's index is a constant, so that the item's type is known; it counts from either end."""

from typing import Tuple


def program(t: Tuple[int, str, float]) -> Tuple[str, float, int]:
    return t[1], t[-1], t[0] + t[-3]


def inputs():
    return [((1, "a", 0.5),), ((-1, "", float("inf")),)]
