"""Bools are equal or not; in an order they count as 0 and 1."""

from typing import List


def program(a: bool, b: bool) -> List[bool]:
    return [a == b, a != b, a < b, a >= b, a == 1, b < 0.5]


def inputs():
    return [(True, False), (False, True), (True, True)]
