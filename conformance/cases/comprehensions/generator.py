"""A generator expression is a list: it is made at once, before it is walked."""

from typing import List


def program(values: List[int], flags: List[bool]) -> int:
    doubled = [v for v in (x * 2 for x in values)]
    return sum(v * 3 for v in doubled) + int(any(not f for f in flags)) + int(all(f for f in flags))


def inputs():
    return [([1, 2], [True, False]), ([], []), ([-1], [True])]
