"""Targets in brackets are refused, though the same in parentheses are not."""

from typing import Tuple


def program(pair: Tuple[int, float]) -> float:
    [a, b] = pair  # error
    return b
