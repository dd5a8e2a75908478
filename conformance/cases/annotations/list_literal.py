"""A list literal is no type, also where Python's typing takes it for the empty tuple."""

from typing import Tuple


def program(pair: Tuple[[]]) -> int:  # error
    return len(pair)
