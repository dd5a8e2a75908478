"""_ is a variable like others; unused values may be bound to it again and again."""

from typing import Tuple


def program(pair: Tuple[int, int], n: int) -> int:
    _, last = pair
    for _ in range(n):
        last += 1
    first, _ = pair
    return first * 100 + last


def inputs():
    return [((1, 2), 0), ((3, 4), 5)]
