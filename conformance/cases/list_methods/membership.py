"""`in` compares by value, also of lists in lists."""

from typing import List


def program(values: List[int], names: List[str], n: int) -> List[bool]:
    return [n in values, n not in values, str(n) in names, [] == values]


def inputs():
    return [([1, 2], ["2"], 2), ([], [], 0), ([-1], ["-1", ""], -1)]
