"""sum starts from zero, not from a second argument."""

from typing import List


def program(v: List[int]) -> int:
    return sum(v, 10)  # error
