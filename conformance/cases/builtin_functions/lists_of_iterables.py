"""list makes a new list of a list, a string, a dict's keys or a range."""

import copy
from typing import Dict, List, Tuple


def program(v: List[int], s: str, d: Dict[str, int], n: int) -> Tuple[List[int], List[str], List[str], List[int], List[int]]:
    copy = list(v)
    copy.append(n)
    return copy, list(s), list(d), list(range(n)), v


def inputs():
    return [([1], "ab", {"x": 1, "y": 2}, 3), ([], "", {}, 0), ([2], "c", {"": 0}, -1)]
