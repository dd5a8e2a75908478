"""Lists of numbers, strings and tensors are equal if their items are; none equals one of another length."""

from typing import List


def program(a: List[int], b: List[int], s: List[str]) -> List[bool]:
    return [a == b, a != b, a == [1, 2], s == ["x"], a[:1] == b[:1], a is b]


def inputs():
    same = [1, 2]
    return [([1, 2], [1, 2], ["x"]), (same, same, []), ([], [], ["y"]), ([1], [1, 2], ["x", "x"])]
