"""A while condition refines nothing in its body."""

from typing import List, Optional


def program(x: Optional[int]) -> List[int]:
    found: List[int] = []
    while x is not None and len(found) < 3:
        found.append(x)  # error
        x = x - 1
    return found
