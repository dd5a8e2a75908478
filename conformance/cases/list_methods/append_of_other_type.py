"""A list takes elements of its own type only."""

from typing import List


def program(values: List[int], x: float) -> List[int]:
    values.append(x)  # error
    return values
