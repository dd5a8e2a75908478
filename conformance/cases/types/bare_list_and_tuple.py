"""`list` and `tuple` without contained types are types of any list and any tuple."""

from typing import Any, List


def is_list(x: list) -> bool:
    return isinstance(x, list)


def program(x: Any, xs: List[int]):
    return isinstance(x, list), isinstance(x, tuple), is_list(xs)


def inputs():
    return [([1, 2], [1]), ((1, 2), []), (3, [2])]
