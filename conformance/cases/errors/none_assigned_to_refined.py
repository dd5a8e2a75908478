"""A loop refines a variable on every path; then it cannot be None again."""

from typing import List, Optional


def program(a: Optional[int], values: List[int]) -> int:
    total = 0
    for value in values:
        if a is None:
            a = value
        else:
            total += a * value
        if total > 50:
            a = None  # error
    return total
