"""Dicts have no equality."""

from typing import Dict


def program(a: Dict[str, int], b: Dict[str, int]) -> bool:
    if len(a) != len(b):
        return False
    return a == b  # error
