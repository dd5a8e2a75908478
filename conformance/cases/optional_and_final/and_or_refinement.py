"""`and` refines its right side by its left, `or` by the left's failure, `not` swaps the two."""

from typing import Optional


def program(a: Optional[int], b: Optional[int]) -> int:
    if a is not None and a > 0:
        return a
    if a is None or a < -5:
        return -1
    if not (b is None or b == 0):
        return a + b
    if b is not None and (a is None or a == b):
        return a - b
    return a


def inputs():
    return [(None, None), (3, None), (-9, 1), (-2, 5), (-2, 0), (0, 0), (0, None)]
