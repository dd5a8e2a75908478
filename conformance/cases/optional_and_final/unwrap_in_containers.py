"""Elements of a list of Optionals are refined through a variable, not through the subscript."""

from typing import Dict, List, Optional


def program(values: List[Optional[int]], table: Dict[str, Optional[int]]) -> int:
    total = 0
    for i in range(len(values)):
        value = values[i]
        if value is not None:
            total += value
            values[i] = None
    for key in table.keys():
        entry = table[key]
        if entry is None:
            table[key] = len(key)
        else:
            total += entry
    for key, entry in table.items():
        if entry is not None:
            total += entry * 1000
    return total + len([v is None for v in values])


def inputs():
    return [([1, None, 3], {"a": None, "bb": 2}), ([], {}), ([None], {"ccc": None})]
