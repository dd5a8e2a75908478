"""A tuple has no such element."""

from typing import Tuple


def program(t: Tuple[int, str]) -> int:
    n = t[-2]
    return n + t[2]  # error
