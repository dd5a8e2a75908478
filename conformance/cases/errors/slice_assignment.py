"""Several slices of a list cannot be assigned."""

from typing import List


def program(values: List[int]) -> List[int]:
    values[0] = 1
    values[1:3] = [7, 8]  # error
    return values
