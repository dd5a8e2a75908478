"""A list comprehension makes a list of its element's type, empty if there is nothing to walk."""

from typing import List, Tuple


def program(values: List[int]) -> Tuple[List[float], List[str], List[Tuple[int, bool]]]:
    halves = [v / 2 for v in values]
    return halves, [str(v) for v in values], [(v, v > 1) for v in values]


def inputs():
    return [([1, 2],), ([],), ([-3],)]
