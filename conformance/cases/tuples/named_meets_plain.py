"""Where a NamedTuple meets a tuple of the same types, the result is a plain tuple for the compiler: it has no
fields. At run time the value still is what it was made as."""

from typing import List, NamedTuple, Tuple


class Point(NamedTuple):
    x: int
    y: int


def total(pair: Tuple[int, int]) -> int:
    return pair[0] + pair[1]


def program(flag: bool, pairs: List[Tuple[int, int]]):
    either = Point(1, 2) if flag else (3, 4)
    pairs.append(Point(5, 6))
    plain: Tuple[int, int] = Point(7, 8)
    return either, plain, [(0, 0), Point(9, 9)], pairs, total(Point(1, 1))


def inputs():
    return [(True, [(1, 1)]), (False, [Point(2, 2)])]
