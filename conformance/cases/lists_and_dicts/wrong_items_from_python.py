"""A list from Python is converted item by item; an item of another type raises."""

from typing import Dict, List


def program(values: List[int], table: Dict[str, float]) -> float:
    return sum(values) + sum(list(table.values()))


def inputs():
    return [([1, 2], {"a": 1}), ([], {}), ([1, "x"], {}), ([0.5], {}), ([1], {1: 1.0})]
