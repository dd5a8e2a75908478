"""A list as a default value."""

from typing import List


def program(n: int, values: List[int] = []) -> int:  # error
    return n + len(values)
