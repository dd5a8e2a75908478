"""Dicts keep insertion order through updates, deletions and reinsertions."""

from typing import Dict, List, Tuple


def program(table: Dict[str, int], key: str) -> Tuple[List[str], List[int], Dict[str, int]]:
    if key in table:
        table[key] += 10
    else:
        table[key] = -1
    table["z"] = len(table)
    del table["z"]
    table["b"] = 5
    table["z"] = table.get("nothing", 7)
    popped = table.pop("b")
    default = table.setdefault("d", popped)
    default += table.setdefault("d", 100)
    other = {"e": default, "b": 1}
    table.update(other)
    keys = [k for k in table.keys()]
    values = [v for v in table.values()]
    return keys, values, table.copy()


def inputs():
    return [({"a": 1, "b": 2}, "a"), ({}, "k"), ({"z": 0, "d": 3}, "z")]
