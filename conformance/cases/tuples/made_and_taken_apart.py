"""A tuple is made by commas and taken apart by targets; each item has a type of its own."""

from typing import Tuple


def program(n: int, s: str) -> Tuple[str, int, Tuple[int, str]]:
    pair = n, s
    first, second = pair
    single = (first,)
    return second * 1 if False else second, single[0], (first + 1, s + s)


def inputs():
    return [(1, "a"), (0, "")]
