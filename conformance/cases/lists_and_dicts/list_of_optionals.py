"""A list display with None among its items makes a list of Optionals, where the annotation says so."""

from typing import List, Optional


def program(n: int) -> List[Optional[int]]:
    some: List[Optional[int]] = [n, None]
    some.append(n * 2)
    some.append(None)
    return some


def inputs():
    return [(1,), (0,)]
