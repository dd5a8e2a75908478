"""Tuples unpack into nested targets, stars, subscripts and attributes of lists."""

from typing import List, Tuple

import torch


def program(pair: Tuple[int, Tuple[float, str]], values: List[int]) -> Tuple[int, str, List[int]]:
    n, (x, s) = pair
    a, b = values
    a, b = b, a
    values[0], values[-1] = b + n, a
    first, *middle, last = (1, 2, 3, 4)
    (c, d), e = (a, x), n
    return c + first + last + len(middle) + e + int(d), s, values


def inputs():
    return [((1, (2.5, "s")), [3, 4]), ((0, (-1.0, "")), [5, 5]), ((1, (1.0, "q")), [1, 2, 3])]
