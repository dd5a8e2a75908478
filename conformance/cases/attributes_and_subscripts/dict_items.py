"""A subscript of a dict takes a key; an unknown one raises."""

from typing import Dict


def program(table: Dict[str, int], key: str) -> int:
    table["seen"] = len(table)
    return table[key] + table["seen"]


def inputs():
    return [({"a": 1}, "a"), ({}, "seen"), ({}, "b")]
