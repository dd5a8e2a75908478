"""A bool beside an int in & | ^ counts as 0 or 1; the result is an int."""

from typing import List


def program(flag: bool, n: int) -> List[int]:
    return [flag & n, n | flag, flag ^ n]


def inputs():
    return [(True, 6), (False, 6), (True, -1)]
