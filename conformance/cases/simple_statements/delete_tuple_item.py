"""A tuple loses no item."""

from typing import Tuple


def program(pair: Tuple[int, int]) -> Tuple[int, int]:
    del pair[0]  # error
    return pair
