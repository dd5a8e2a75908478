"""A loop over a dict walks the keys that it had at the start."""

from typing import Dict, List


def program(table: Dict[str, int]) -> List[str]:
    seen: List[str] = []
    for key in table:
        seen.append(key)
        table[key + "'"] = table[key]
    return seen + list(table.keys())


def inputs():
    return [({"a": 1, "b": 2},), ({},)]
