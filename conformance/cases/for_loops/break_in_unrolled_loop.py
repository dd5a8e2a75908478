"""An unrolled loop cannot be left by break or continue."""

from typing import Tuple


def program(sizes: Tuple[int, int], n: int) -> int:
    for size in sizes:
        if size > n:
            break  # error
        n += size
    return n
