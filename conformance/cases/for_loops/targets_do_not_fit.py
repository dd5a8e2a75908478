"""Elements that are no tuples do not unpack."""

from typing import List


def program(values: List[float]) -> float:
    total = 0.0
    for a, b in values:  # error
        total += a * b
    return total
