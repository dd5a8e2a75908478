"""Arguments are evaluated before the call, from left to right, keywords after positions."""

from typing import List


def take(seen: List[int], n: int) -> int:
    seen.append(n)
    return n


def join(a: int, b: int, c: int) -> int:
    return a * 100 + b * 10 + c


def program(n: int) -> List[int]:
    seen: List[int] = []
    seen.append(join(take(seen, n), c=take(seen, 2), b=take(seen, 3)))
    return seen


def inputs():
    return [(1,), (0,)]
