"""copy makes a new dict of the same values; clear empties the dict itself."""

from typing import Dict, List, Tuple


def program(table: Dict[str, List[int]]) -> Tuple[Dict[str, List[int]], Dict[str, List[int]]]:
    copy = table.copy()
    copy["new"] = [0]
    copy["a"].append(9)
    alias = table
    table.clear()
    return copy, alias


def inputs():
    return [({"a": [1]},), ({"a": [], "new": [5]},)]
