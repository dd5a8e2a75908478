"""pop removes a key and gives its value; for a missing key it gives its default, or raises."""

from typing import Dict, Tuple


def program(table: Dict[str, int], key: str) -> Tuple[int, int, Dict[str, int]]:
    first = table.pop(key, 50)
    return first, table.pop("last"), table


def inputs():
    return [({"a": 1, "last": 2}, "a"), ({"last": 2}, "a"), ({"a": 1}, "a"), ({"last": 1}, "last")]
