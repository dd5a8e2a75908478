"""sorted makes a new list in ascending order, of numbers, strings, bools or tuples."""

from typing import List, Tuple


def program(v: List[int], f: List[float], s: List[str]) -> Tuple[List[int], List[float], List[str], List[int]]:
    return sorted(v), sorted(f), sorted(s), v


def inputs():
    return [([3, 1, 2], [0.5, -1.0], ["b", "", "a"]), ([], [], []), ([1, 1], [float("inf"), 0.0], ["B", "a"])]
