"""What get gives without a default may be None."""

from typing import Dict


def program(table: Dict[str, int], key: str) -> int:
    return table.get(key) + 1  # error
