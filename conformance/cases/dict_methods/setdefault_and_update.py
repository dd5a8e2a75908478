"""setdefault adds a missing key only; update adds and replaces all of another dict's."""

from typing import Dict, Tuple


def program(table: Dict[str, int], other: Dict[str, int]) -> Tuple[int, int, Dict[str, int]]:
    first = table.setdefault("a", 10)
    second = table.setdefault("b", 20)
    table.update(other)
    return first, second, table


def inputs():
    return [({"a": 1}, {"c": 3}), ({}, {"a": 0, "b": 0}), ({"b": 5}, {})]
