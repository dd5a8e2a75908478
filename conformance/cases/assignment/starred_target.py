"""One starred target takes what the others leave of a tuple, as a tuple, which may be empty."""

from typing import Tuple


def program(a: int, s: str) -> Tuple[Tuple[int, str], Tuple[str, float], Tuple[int]]:
    *head, last = a, s, 1.5
    first, *tail = a, s, last
    one, *middle, two = a, a + 1, s
    left, right, *none = tail
    return head, tail, middle


def inputs():
    return [(0, ""), (-7, "abc")]
