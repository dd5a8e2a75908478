"""popitem removes a pair and gives it; from an empty dict it raises."""

from typing import Dict, Tuple


def program(table: Dict[str, int]) -> Tuple[Tuple[str, int], int]:
    return table.popitem(), len(table)


def inputs():
    return [({"a": 1},), ({},)]
