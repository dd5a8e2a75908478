"""A loop over a tuple, being unrolled, has no break."""

from typing import Tuple


def program(t: Tuple[int, int]) -> int:
    total = 0
    for item in t:
        if item > 2:
            break  # error
        total += item
    return total
