"""get gives None, or a default, for a missing key, and does not add it."""

from typing import Dict, Optional, Tuple


def program(table: Dict[str, int], key: str) -> Tuple[Optional[int], int, int]:
    return table.get(key), table.get(key, -1), len(table)


def inputs():
    return [({"a": 1}, "a"), ({"a": 1}, "b"), ({}, "")]
