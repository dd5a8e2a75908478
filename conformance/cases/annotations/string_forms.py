"""An annotation in quotes, whole or in part, means what it says."""

from typing import Dict, List, Optional


def program(a: "Optional[int]", b: List["int"]) -> "Dict[str, int]":
    found: "Dict[str, int]" = {}
    if a is not None:
        found["a"] = a
    for n in b:
        found[str(n)] = n
    return found


def inputs():
    return [(1, [2]), (None, [])]
