"""A refinement ends where the variable is assigned what may be None again."""

from typing import List, Optional


def program(a: Optional[int], others: List[Optional[int]]) -> int:
    if a is not None:
        b = a + 1
        a = others[0]
        return a + b  # error
    return 0
