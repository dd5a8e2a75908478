"""A list of another length than its targets raises when it is unpacked."""

from typing import List


def program(values: List[str]) -> str:
    a, b, c = values
    return c + b + a


def inputs():
    return [(["x", "y", "z"],), (["x"],), ([],), (["a", "b", "c", "d"],)]
