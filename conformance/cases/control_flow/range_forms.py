"""range with one, two and three arguments, negative and computed steps; step zero raises."""

from typing import List


def program(a: int, b: int, c: int) -> List[int]:
    found: List[int] = []
    for i in range(a):
        found.append(i)
    for i in range(a, b):
        found.append(i)
    for i in range(b, a, -2):
        found.append(i)
    for i in range(a, b, c):
        found.append(i * 100)
    found.append(len([i for i in range(b, a, c)]))
    return found


def inputs():
    return [(1, 4, 2), (3, -3, -2), (0, 0, 1), (1, 2, 0)]
