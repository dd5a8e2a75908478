"""Containers that may be absent: built lazily, tested, changed and returned."""

from typing import Dict, List, Optional, Tuple


def program(
    values: Optional[List[int]], table: Optional[Dict[str, int]], n: int
) -> Tuple[Optional[List[int]], Dict[str, int]]:
    if values is None and n > 0:
        values = [n]
    if table is None:
        table = {"new": 0}
    else:
        table["old"] = len(table)
    for i in range(n):
        if values is not None:
            values.append(i)
        table[str(i)] = i
    return values, table


def inputs():
    return [(None, None, 0), (None, {"a": 1}, 2), ([5], None, 1), ([], {}, 0)]
