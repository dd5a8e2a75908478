"""The sides of a conditional expression have one type: of None and an int, Optional[int]."""

from typing import Optional, Tuple


def program(n: int) -> Tuple[Optional[int], float]:
    kept = n if n > 0 else None
    size = float(n) if n < 100 else 100.0
    return kept, size


def inputs():
    return [(3,), (0,), (-2,), (1000,)]
