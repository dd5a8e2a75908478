"""A list annotated as ints holds a string."""

from typing import List


def program(n: int) -> List[int]:
    values: List[int] = [1, n]
    values.append("three")  # error
    return values
