"""A list is no number."""

from typing import List


def program(values: List[int]) -> int:
    return int(values)  # error
