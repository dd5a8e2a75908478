"""keys, values and items are new lists, in the order of insertion."""

from typing import Dict, List, Tuple


def program(table: Dict[int, float]) -> Tuple[List[int], List[float], List[Tuple[int, float]], int]:
    keys = list(table.keys())
    values = list(table.values())
    items = list(table.items())
    table[100] = 0.0
    return keys, values, items, len(table)


def inputs():
    return [({3: 0.5, 1: -1.0},), ({},)]
