"""A branch that ends with continue does not refine what follows it."""

from typing import List, Optional


def program(values: List[Optional[int]]) -> int:
    total = 0
    for value in values:
        if value is None:
            continue
        total += value  # error
    return total
