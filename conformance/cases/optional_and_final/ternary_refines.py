"""A conditional expression refines in its branches, nested too, and unifies with None to Optional."""

from typing import Optional, Tuple


def program(a: Optional[int], n: int) -> Tuple[int, Optional[int], int]:
    x = a if a is not None else n
    y = None if n > 2 else n
    z = 0 if a is None else a if a > n else n - a
    w = (1 if y is None else y) + z
    return x, y, w


def inputs():
    return [(None, 1), (5, 3), (1, 4), (2, 2)]
