"""A comprehension within a comprehension makes lists of lists."""

from typing import List


def program(n: int, m: int) -> List[List[int]]:
    return [[i * 10 + j for j in range(i, m)] for i in range(n)]


def inputs():
    return [(2, 3), (0, 3), (3, 1)]
