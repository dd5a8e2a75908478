"""Lists and dicts are passed and assigned as themselves: what one name changes, another shows."""

from typing import Dict, List


def add(values: List[int], table: Dict[str, List[int]], n: int) -> None:
    values.append(n)
    table["values"] = values
    table["values"].append(n + 1)


def program(values: List[int], n: int) -> List[int]:
    table: Dict[str, List[int]] = {}
    add(values, table, n)
    alias = table["values"]
    alias[0] = -1
    return values


def inputs():
    return [([], 3), ([7], 0)]
