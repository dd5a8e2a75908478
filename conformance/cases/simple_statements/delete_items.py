"""del removes items of lists by index and of dicts by key, several in one statement, from left to right."""

from typing import Dict, List, Tuple


def program(values: List[int], table: Dict[str, int]) -> Tuple[List[int], Dict[str, int]]:
    del values[0], values[-1]
    del table["a"]
    return values, table


def inputs():
    return [([1, 2, 3], {"b": 1, "a": 2}), ([1, 2], {"a": 0}), ([1], {"a": 0}), ([1, 2], {"b": 0})]
