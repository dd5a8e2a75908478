"""A dict is walked by its keys in the order of insertion; items() gives pairs to unpack."""

from typing import Dict, List, Tuple


def program(table: Dict[str, int]) -> Tuple[str, int, List[int]]:
    names = ""
    total = 0
    for key in table:
        names += key
    for key, value in table.items():
        total += len(key) * value
    return names, total, [value for value in table.values()]


def inputs():
    return [({"b": 1, "aa": 2},), ({},)]
