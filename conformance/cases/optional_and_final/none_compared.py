"""`is None` on a value that cannot be None is decided by the compiler; on None it always holds."""

from typing import Optional


def program(n: int, maybe: Optional[int]) -> int:
    nothing = None
    total = 0
    if n is None:
        total += n.no_attribute
    if nothing is not None:
        total += nothing + "text"
    if nothing is None and n is not None:
        total += n
    if (maybe is None) == (n > 0):
        total += 100
    return total


def inputs():
    return [(1, None), (1, 2), (0, None), (-1, 3)]
