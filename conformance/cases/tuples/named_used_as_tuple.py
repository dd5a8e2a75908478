"""A NamedTuple is a tuple: it is sliced, added, walked, compared in sorting and turned to a str as one."""

from typing import List, NamedTuple, Tuple


class Point(NamedTuple):
    x: int
    y: float = 0.5


def program(n: int) -> Tuple[Tuple[float], Tuple[int, float, int, float], List[str], List[Point]]:
    p = Point(n)
    total: List[str] = []
    for value in p:
        total.append(str(value))
    x, y = p
    total.append(str(p) + str(len(p)) + str(p[-1] + x + y))
    return p[1:], p + Point(1, 2.0), total, sorted([p, Point(1, 9.0), Point(1, -9.0)])


def inputs():
    return [(2,), (-1,)]
