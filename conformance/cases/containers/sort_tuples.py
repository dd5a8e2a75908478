"""Tuples are sorted item by item; they must be made of the same sortable types."""

from typing import Any, Dict, List, Tuple


def program(
    pairs: List[Tuple[int, str]], deep: List[Tuple[float, Tuple[bool, int]]], anything: List[Any]
):
    ordered = sorted(deep)
    pairs.sort(reverse=True)
    anything.sort()
    return pairs, ordered, anything


def inputs():
    pairs = [(1, "b"), (2, "a"), (1, "a")]
    deep = [(0.5, (True, 1)), (0.5, (False, 2))]
    return [
        (pairs, deep, [(1, (2, 3)), (1, (1, 5))]),
        (pairs, [], [(1, (2, 3)), (1, ("a", "b"))]),
        ([], [], [({1: 2},)]),
        ([], deep, [(1, 2), (1, 2, 3)]),
    ]
