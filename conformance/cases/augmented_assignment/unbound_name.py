"""The target is read first, so it must be bound."""

from typing import List


def program(values: List[int]) -> int:
    for value in values:
        total += value  # error
    return 0
