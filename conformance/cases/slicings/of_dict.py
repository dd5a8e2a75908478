"""A dict has no slices."""

from typing import Dict


def program(table: Dict[int, int]) -> int:
    n = len(table)
    return table[0:n]  # error
