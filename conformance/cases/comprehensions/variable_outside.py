"""A comprehension's variable is not defined after it."""

from typing import List


def program(values: List[int]) -> int:
    doubled = [v * 2 for v in values]
    return len(doubled) + v  # error
