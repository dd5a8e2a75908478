"""A variable that each path of nested ifs binds is bound after them; one that leaves out a path is not read."""

from typing import List, Tuple


def program(a: bool, b: bool) -> Tuple[int, List[int]]:
    if a:
        if b:
            n, values = 3, [1]
        else:
            n, values = 2, [2, 2]
    else:
        n = 1
        values: List[int] = []
    return n, values


def inputs():
    return [(True, True), (True, False), (False, True), (False, False)]
