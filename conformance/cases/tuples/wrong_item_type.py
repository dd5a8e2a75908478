"""An item of another type makes another tuple."""

from typing import Tuple


def program(n: int) -> Tuple[int, str]:
    pair = (n, n)
    return pair  # error
