"""An annotation gives a variable its type where the value's own type is narrower or unknown."""

from typing import Dict, List, Optional, Tuple


def program(n: int) -> Tuple[Optional[int], List[str], Dict[int, float], float]:
    maybe: Optional[int] = None
    names: List[str] = []
    table: Dict[int, float] = {}
    half: float = n / 2
    if n > 0:
        maybe = n
        names.append("n")
        table[n] = half
    return maybe, names, table, half


def inputs():
    return [(0,), (3,), (-1,)]
