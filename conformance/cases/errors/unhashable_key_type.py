"""A list cannot be a key."""

from typing import Dict, List


def program(table: Dict[List[int], int]) -> int:  # error
    return len(table)
