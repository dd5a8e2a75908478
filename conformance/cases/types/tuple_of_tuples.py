"""Tuples nest, concatenate in slices and index with negative constants."""

from typing import Tuple


def program(a: int, b: float) -> Tuple[Tuple[int, float], bool, int, Tuple[float, str]]:
    nested = ((a, b), (a + 1, b * 2), "end")
    pair = nested[0]
    same = pair[0] == a and pair[1] == 0.5
    tail = nested[1][1:] + nested[-1:]
    return pair, same, len(nested) + nested[1][0], tail


def inputs():
    return [(1, 0.5), (2, -1.0)]
