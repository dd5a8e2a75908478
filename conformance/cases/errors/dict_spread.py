"""A dict cannot be spread into a literal."""

from typing import Dict


def program(table: Dict[str, int]) -> Dict[str, int]:
    return {"a": 1, **table}  # error
