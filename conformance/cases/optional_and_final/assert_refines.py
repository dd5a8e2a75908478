"""assert refines for the rest of the block, with its message evaluated only on failure."""

from typing import List, Optional


def program(a: Optional[int], b: Optional[List[int]]) -> int:
    assert a is not None, "a is None"
    total = a + 1
    assert b is not None and len(b) > 0
    for item in b:
        total += item * a
    return total


def inputs():
    return [(1, [2]), (None, [1]), (2, None), (3, []), (0, [1, 2])]
