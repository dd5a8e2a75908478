"""The loop's own variable is not defined after the loop either."""

from typing import List


def program(values: List[int]) -> int:
    total = 0
    for value in values:
        total += value
    total *= value  # error
    return total
