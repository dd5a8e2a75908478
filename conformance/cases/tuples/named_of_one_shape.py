"""NamedTuples with the same fields are of one type for the compiler, the first one met; a value stays
what it was made as."""

from typing import NamedTuple


class Point(NamedTuple):
    x: int
    y: int


class Step(NamedTuple):
    x: int
    y: int


class Size(NamedTuple):
    width: int
    height: int


def program(flag: bool):
    here = Point(1, 2) if flag else Step(3, 4)
    there = Point(5, 6)
    if flag:
        there = Step(7, 8)
    declared: Point = Step(9, 10)
    for i in range(2):
        declared = Step(i, declared.x)
    table = {"a": Point(1, 1), "b": Step(2, 2)}
    mixed = [Point(1, 2), Size(3, 4)]
    return [here, there, declared], here.x + there.y, table, mixed, [None, Step(0, 0), Point(1, 1)]


def inputs():
    return [(True,), (False,)]
