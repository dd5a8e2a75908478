"""Operands are evaluated from left to right, and operators of equal rank from the left."""

from typing import List


def take(seen: List[int], n: int) -> int:
    seen.append(n)
    return n


def program(a: int) -> List[int]:
    seen: List[int] = []
    x = take(seen, 1) - take(seen, a) * take(seen, 3) - take(seen, 4)
    y = take(seen, 100) // take(seen, 7) % take(seen, 5) * 2
    return seen + [x, y, 10 - 4 - 3, 100 // 10 * 2]


def inputs():
    return [(2,), (0,)]
