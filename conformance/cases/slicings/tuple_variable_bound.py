"""A tuple's slice has constant bounds, since they decide its type."""

from typing import Tuple


def program(t: Tuple[int, int, int], n: int) -> Tuple[int, int]:
    m = n - 1
    return t[m:]  # error
