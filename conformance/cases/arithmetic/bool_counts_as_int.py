"""A bool where an operator wants a number becomes the int 0 or 1, through a conversion in the graph."""

from typing import List


def program(flag: bool, n: int) -> List[int]:
    return [n + flag, flag * n, -flag, n - (n > 2)]


def inputs():
    return [(True, 3), (False, 3), (True, 0)]
