"""sort(reverse=True), sorted of tuples and of strings, and a sort that moves equal items not."""

from typing import List, Tuple


def program(a: List[int], b: List[float], pairs: List[Tuple[int, str]]) -> Tuple[List[int], List[float], List[Tuple[int, str]]]:
    a.sort(reverse=True)
    b.sort()
    ordered = sorted(pairs)
    ordered.append((len(a), "n"))
    return a, b, ordered


def inputs():
    return [([2, 3, 1], [0.5, -0.5], [(2, "b"), (1, "z"), (2, "a")]), ([], [], []), ([1, 1], [-0.0, 0.0], [(0, "")])]
