"""A while condition is evaluated before every turn, with short-circuit and side effects in order."""

from typing import List


def tick(log: List[int], n: int) -> bool:
    log.append(n)
    return n < 5


def program(start: int, stop: int) -> List[int]:
    log: List[int] = []
    n = start
    while tick(log, n) and (n != stop or tick(log, -n)):
        n += 1
    while not (n <= 0):
        n -= 2
        if n == 1:
            continue
        log.append(n * 100)
    return log


def inputs():
    return [(0, 3), (4, 9), (7, 0), (-2, -1)]
