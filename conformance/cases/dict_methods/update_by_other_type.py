"""A dict is updated by dicts of its own type."""

from typing import Dict


def program(table: Dict[str, int], other: Dict[str, float]) -> Dict[str, int]:
    table.update(other)  # error
    return table
