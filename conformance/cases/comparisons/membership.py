"""`in` looks for an equal item of a list, a key of a dict; `not in` is its opposite."""

from typing import Dict, List


def program(n: int, values: List[int], table: Dict[int, str]) -> List[bool]:
    return [n in values, n not in values, n in table, n not in table, not n in [1]]  # noqa: E713


def inputs():
    return [(1, [1], {1: "a"}), (0, [], {}), (2, [1, 2, 3], {3: "x"})]
