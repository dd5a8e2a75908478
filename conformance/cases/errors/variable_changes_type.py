"""A variable keeps the type of its first assignment."""

from typing import List


def program(values: List[int]) -> int:
    count = 0
    for value in values:
        if value > 1:
            count = "many"  # error
    return count
