"""A tuple is no condition."""

from typing import Tuple


def program(pair: Tuple[int, int]) -> int:
    if pair:  # error
        return 1
    return 0
