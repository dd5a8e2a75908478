"""A float is no index."""

from typing import List


def program(values: List[int], x: float) -> int:
    return values[0] + values[x]  # error
