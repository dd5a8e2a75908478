"""A failing assert raises with its message, evaluated only then."""

from typing import List


def explain(log: List[int], n: int) -> str:
    log.append(n)
    return "bad " + str(n)


def program(n: int) -> int:
    log = [0]
    assert n < 10, explain(log, n)
    assert n != 3
    assert n % 2 == 0, "odd: %d" % n
    return n + len(log)


def inputs():
    return [(2,), (12,), (3,), (5,)]
