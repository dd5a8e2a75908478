"""map and filter are not in the language: write a comprehension or a loop."""

from typing import List


def program(values: List[int]) -> List[float]:
    return list(map(float, values))  # error
