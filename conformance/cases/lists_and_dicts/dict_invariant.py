"""A dict of ints is no dict of Optional ints: the callee could put a None in."""

from typing import Dict, Optional


def fill(table: Dict[str, Optional[int]]) -> int:
    table["none"] = None
    return len(table)


def program(n: int) -> int:
    table = {"n": n}
    table["m"] = n
    return fill(table)  # error
