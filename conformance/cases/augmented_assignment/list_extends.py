"""`+=` extends a list in place with another of its type; `*=` repeats it."""

from typing import List, Tuple


def program(values: List[int], more: List[int], n: int) -> Tuple[List[int], List[int]]:
    alias = values
    values += more
    values += [n]
    more *= n
    return alias, more


def inputs():
    return [([1], [2, 3], 2), ([], [], 0), ([5], [6], -1)]
