"""Lists and dicts from Python are checked item by item, and shared: the caller sees them change."""

from typing import Dict, List


def program(values: List[float], table: Dict[str, List[int]]) -> float:
    values.append(0.5)
    table["new"] = [len(values)]
    return sum(values)


def inputs():
    return [([1.0, 2.0], {"a": []}), ([], {}), ([-1.5], {"new": [1, 2]})]
