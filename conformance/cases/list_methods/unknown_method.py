"""A list has no other methods than these."""

from typing import List


def program(values: List[int]) -> int:
    return values.find(1)  # error
