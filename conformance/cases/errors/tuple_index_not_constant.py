"""A tuple of different types is indexed by constants only."""

from typing import Tuple


def program(t: Tuple[int, str], i: int) -> str:
    return str(t[0]) + str(t[i])  # error
