"""A tuple is no key."""

from typing import Dict, Tuple


def program(n: int) -> int:
    table: Dict[Tuple[int, int], str] = {}  # error
    return n + len(table)
