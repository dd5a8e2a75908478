"""or binds looser than and, and than not, not than comparisons."""

from typing import List


def program(a: bool, b: bool, c: bool) -> List[bool]:
    return [a or b and c, not a or b, not (a or b), a and not b or c, not a == b]


def inputs():
    flags = [False, True]
    return [(a, b, c) for a in flags for b in flags for c in flags]
