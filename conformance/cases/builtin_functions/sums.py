"""sum adds the numbers of a list; sum of an empty list is zero."""

from typing import List, Tuple


def program(v: List[int], f: List[float], b: List[bool]) -> Tuple[int, float, int]:
    return sum(v), sum(f), sum(b)


def inputs():
    return [([1, -3], [0.5, 0.25], [True, False, True]), ([], [], []), ([2**62, 2**62], [float("nan")], [True])]
