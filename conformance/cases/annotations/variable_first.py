"""A variable's annotation at its first binding gives it a wider type than its value has."""

from typing import Dict, List, Optional


def program(n: int) -> Optional[int]:
    last: Optional[int] = None
    table: Dict[str, List[int]] = {}
    for i in range(n):
        table["all"] = [i]
        last = i * 2
    return last if "all" in table else None


def inputs():
    return [(3,), (0,)]
