"""Repeating a list repeats references: rows made so are one list; a comprehension makes many."""

from typing import List, Tuple


def program(n: int) -> Tuple[List[List[int]], List[List[int]], List[int]]:
    rows = [[0]] * n
    fresh = [[0] for _ in range(n)]
    for i in range(n):
        rows[i].append(i)
        fresh[i].append(i)
    flat = [1, 2] * n
    return rows, fresh, flat


def inputs():
    return [(0,), (1,), (3,)]
