"""Simultaneous assignment in a loop reads all old values before it binds new ones."""

from typing import List, Tuple


def program(n: int) -> Tuple[int, List[int]]:
    a, b = 0, 1
    seen = [a]
    for _ in range(n):
        a, b = b, a + b
        seen.append(a)
    x, (y, z) = a, (b, seen[-1])
    return x * y - z, seen


def inputs():
    return [(0,), (1,), (10,), (90,)]
