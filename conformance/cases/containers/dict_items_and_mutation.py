"""items() is a list of pairs made at once: the dict may change while it is walked."""

from typing import Dict, List, Tuple


def program(table: Dict[str, List[int]]) -> Tuple[Dict[str, List[int]], int]:
    total = 0
    for name, values in table.items():
        total += len(values)
        values.append(total)
        if len(values) > 2:
            del table[name]
            table[name + "+"] = values
    pairs = list(table.items())
    for pair in pairs:
        total += len(pair[0]) * 100 + pair[1][0]
    table.clear()
    table["end"] = [total]
    return table, len(pairs)


def inputs():
    return [({"a": [1], "b": [1, 2]},), ({},), ({"x": []},)]
