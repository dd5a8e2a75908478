"""A dict keyed by strings has no item under an int."""

from typing import Dict


def program(table: Dict[str, int]) -> int:
    return table["a"] + table[0]  # error
