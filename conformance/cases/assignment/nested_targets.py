"""Tuples unpack into targets of the same shape, nested in parentheses."""

from typing import Tuple


def program(pair: Tuple[int, Tuple[float, str]]) -> Tuple[str, float, int]:
    a, (b, c) = pair
    (d, e), f = (c, b), a
    return d, e, f


def inputs():
    return [((1, (0.5, "x")),), ((-1, (float("inf"), "")),)]
