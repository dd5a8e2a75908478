"""Deleting or popping a key that is not there raises."""

from typing import Dict


def program(table: Dict[str, int], key: str) -> int:
    n = len(table)
    del table[key]
    return n + table.pop(key)


def inputs():
    return [({"a": 1}, "a"), ({}, "a")]
