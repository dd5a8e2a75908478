"""range counts from 0 or a start, by one or a step of either sign, and leaves the stop out."""

from typing import List


def program(a: int, b: int, step: int) -> List[int]:
    found: List[int] = []
    for i in range(b):
        found.append(i)
    for i in range(a, b):
        found.append(i * 10)
    for i in range(b, a, -step):
        found.append(i * 100)
    return found


def inputs():
    return [(1, 4, 2), (0, 0, 1), (-2, 1, 5), (3, -1, 1), (0, 1, 0)]
