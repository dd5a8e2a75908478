"""Where a branch returns, what follows the if has the other branch's refinement."""

from typing import Optional


def program(a: Optional[int], b: Optional[int]) -> int:
    if a is None:
        return -1
    if b is None:
        return a
    return a * b


def inputs():
    return [(None, 1), (2, None), (2, 3), (0, -1)]
