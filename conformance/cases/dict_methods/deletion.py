"""`del` removes a key; deleting a missing one raises."""

from typing import Dict


def program(table: Dict[int, int], key: int) -> Dict[int, int]:
    del table[key]
    return table


def inputs():
    return [({1: 2, 3: 4}, 1), ({1: 2}, 5), ({}, 0)]
