"""An Optional is no condition: compare it with None."""

from typing import Optional


def program(n: Optional[int]) -> int:
    if n:  # error
        return 1
    return 0
