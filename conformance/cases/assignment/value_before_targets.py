"""The value is evaluated before its targets' subscripts, and these from left to right."""

from typing import List, Tuple


def take(log: List[int], n: int) -> int:
    log.append(n)
    return n


def program(values: List[int]) -> Tuple[List[int], List[int]]:
    log: List[int] = []
    values[take(log, 0)] = take(log, 5)
    values[take(log, 1)], values[take(log, 2)] = take(log, 7), take(log, 8)
    return log, values


def inputs():
    return [([0, 0, 0],), ([1, 2, 3, 4],), ([1],)]
