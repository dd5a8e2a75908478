"""After `if a is None or b is None: return` both are refined."""

from typing import Optional


def program(a: Optional[int], b: Optional[int]) -> int:
    if a is None or b is None:
        return -1
    return a + b if not (a < 0 or b < 0) else 0


def inputs():
    return [(None, 1), (1, None), (1, 2), (-1, 2), (None, None)]
