"""`x is not None or ...` refines nothing in the body."""

from typing import Optional


def program(x: Optional[int], flag: bool) -> int:
    if x is not None or flag:
        return x * 2  # error
    return 0
