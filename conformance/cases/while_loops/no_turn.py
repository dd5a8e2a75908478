"""The body may run no turn at all; the condition is evaluated once more than the body."""

from typing import List, Tuple


def below(n: int, limit: int, log: List[int]) -> bool:
    log.append(n)
    return n < limit


def program(n: int, limit: int) -> Tuple[int, List[int]]:
    log: List[int] = []
    turns = 0
    while below(n, limit, log):
        n += 2
        turns += 1
    return turns, log


def inputs():
    return [(0, 3), (3, 3), (5, -5)]
