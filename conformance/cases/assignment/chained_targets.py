"""In `a = b = value` the value is evaluated once and bound to the targets from left to right."""

from typing import List, Tuple


def program(values: List[int]) -> Tuple[int, List[int], List[int], int]:
    a = b = values.pop()
    c = d = [a]
    c.append(b)
    e = values[0] = a + b
    return a, d, values, e


def inputs():
    return [([1, 2, 3],), ([-1, 0],)]
