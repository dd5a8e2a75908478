"""An Optional tuple is refined as a whole, then its Optional members one by one."""

from typing import Optional, Tuple


def program(p: Optional[Tuple[Optional[int], int]]) -> int:
    if p is None:
        return -1
    a, b = p
    if a is None:
        return b
    c = p[0]
    if c is not None and a == c:
        return a * 10 + b
    return 0


def inputs():
    return [(None,), ((None, 2),), ((3, 4),)]
