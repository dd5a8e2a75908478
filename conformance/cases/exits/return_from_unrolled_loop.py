"""A return may leave a loop that is unrolled; later turns are skipped."""

from typing import Tuple


def program(sizes: Tuple[int, int, int], limit: int) -> int:
    total = 0
    for size in sizes:
        total += size
        if total > limit:
            return total
    return -total


def inputs():
    return [((1, 2, 3), 2), ((1, 2, 3), 0), ((1, 2, 3), 10)]
