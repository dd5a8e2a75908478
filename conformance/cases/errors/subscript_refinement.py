"""A test of a subscript refines nothing: the container may change."""

from typing import Dict, Optional


def program(table: Dict[str, Optional[int]]) -> int:
    if table["a"] is not None:
        return table["a"] + 1  # error
    return 0
