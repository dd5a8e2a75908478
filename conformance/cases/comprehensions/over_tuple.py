"""A comprehension over a tuple is unrolled; its items may differ in type if the elements do not."""

from typing import List, Tuple


def program(t: Tuple[int, float, str]) -> List[str]:
    return [str(x) + "!" for x in t]


def inputs():
    return [((1, 0.5, "a"),), ((-1, float("inf"), ""),)]
