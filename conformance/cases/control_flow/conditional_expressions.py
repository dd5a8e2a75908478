"""Conditional expressions evaluate one side only, nest to the right and bind loosely."""

from typing import List


def touch(log: List[int], n: int) -> int:
    log.append(n)
    return n


def program(n: int) -> List[int]:
    log: List[int] = []
    a = touch(log, 1) if n > 0 else touch(log, 2)
    b = 10 if n > 5 else 20 if n > 2 else 30 if n > 0 else touch(log, 40)
    c = (a if n % 2 == 0 else b) + 1 if n != 3 else -1
    log.append(a + b * 100)
    log.append(c)
    return log


def inputs():
    return [(0,), (1,), (3,), (4,), (9,)]
