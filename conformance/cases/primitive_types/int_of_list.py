"""int converts no list."""

from typing import List


def program(values: List[int]) -> int:
    n = int(len(values))
    return n + int(values)  # error
