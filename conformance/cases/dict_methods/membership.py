"""`in` asks for a key; a float key is found by its value."""

from typing import Dict, List


def program(table: Dict[float, str], x: float) -> List[bool]:
    return [x in table, x not in table, 0.0 in table]


def inputs():
    return [({0.5: "a"}, 0.5), ({0.0: ""}, -0.0), ({}, 1.0)]
