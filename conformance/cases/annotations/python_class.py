"""A type of Python's that the language lacks is no annotation."""

from typing import Set


def program(values: Set[int], n: int) -> int:  # error
    return n
