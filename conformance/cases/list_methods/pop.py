"""pop removes and gives the last element, or that at an index; where there is none, it raises."""

from typing import List, Tuple


def program(values: List[str], i: int) -> Tuple[str, str, List[str]]:
    last = values.pop()
    return last, values.pop(i), values


def inputs():
    return [(["a", "b", "c"], 0), (["a", "b", "c"], -1), (["a"], 0), (["a", "b"], 1), ([], 0)]
