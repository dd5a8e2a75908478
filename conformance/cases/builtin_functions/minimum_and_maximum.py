"""min and max take two numbers, or a list that is not empty; an int and a float give a float."""

from typing import List, Tuple


def program(a: int, b: float, v: List[float]) -> Tuple[float, float, int, float, float]:
    return min(a, b), max(a, b), max(a, -a), min(v), max(v)


def inputs():
    return [(1, 2.5, [0.5, -1.0]), (-3, -3.5, [1.0]), (0, 0.0, [])]
