"""A list is repeated by an int, not by a float."""

from typing import List


def program(values: List[int], x: float) -> List[int]:
    twice = values * 2
    return twice * x  # error
