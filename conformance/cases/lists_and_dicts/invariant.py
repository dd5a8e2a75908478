"""A list that is made where a list of Optionals is wanted is one; after that its type is fixed."""

from typing import List, Optional


def count(values: List[Optional[int]]) -> int:
    n = 0
    for value in values:
        if value is not None:
            n += value
    return n


def program(n: int) -> int:
    values: List[Optional[int]] = [n, 2]
    return count(values) * 10 + len(values)


def inputs():
    return [(1,), (-2,)]
