"""Branches that bind None and an int make an Optional; two list types must be one."""

from typing import List, Optional, Tuple


def program(n: int) -> Tuple[Optional[int], List[int], int]:
    if n > 2:
        a = None
        b = [n]
    else:
        a = n
        b = []
        b = [0, n]
    if n == 1:
        c = 1
    else:
        if a is None:
            c = 2
        else:
            c = a
    return a, b, c


def inputs():
    return [(0,), (1,), (3,)]
