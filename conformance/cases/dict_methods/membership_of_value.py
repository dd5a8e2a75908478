"""A dict is searched by its keys' type."""

from typing import Dict


def program(table: Dict[str, int], n: int) -> bool:
    return n in table  # error
