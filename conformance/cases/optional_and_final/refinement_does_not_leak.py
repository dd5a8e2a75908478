"""After `if a is None: a = ...; else: ...` both branches agree, and a is refined; after the loop it is not."""

from typing import List, Optional


def program(a: Optional[int], values: List[int]) -> int:
    total = 0
    for value in values:
        if a is None:
            a = value
        else:
            total += a * value
        if total > 50 and a > 0:
            break
    if a is not None:
        total -= a
    return total if a is None else total + a * 1000


def inputs():
    return [(None, []), (None, [2, 3]), (7, [7, 5, 1, 1]), (1, [])]
