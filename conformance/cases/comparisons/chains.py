"""A chain compares neighbours, evaluates each operand at most once, and stops at the first that fails."""

from typing import List


def note(seen: List[int], n: int) -> int:
    seen.append(n)
    return n


def program(a: int, b: int, c: int) -> List[int]:
    seen: List[int] = []
    ordered = a < note(seen, b) <= note(seen, c) < 10
    seen.append(int(ordered))
    return seen


def inputs():
    return [(1, 2, 3), (3, 2, 1), (1, 2, 2), (1, 1, 5), (1, 2, 11)]
