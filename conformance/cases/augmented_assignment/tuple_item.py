"""A tuple's items cannot be assigned, with an operator neither."""

from typing import Tuple


def program(pair: Tuple[int, int]) -> Tuple[int, int]:
    pair[0] += 1  # error
    return pair
