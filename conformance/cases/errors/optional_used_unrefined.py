"""An Optional has no + before it has been tested for None."""

from typing import Optional


def program(x: Optional[int], y: int) -> int:
    if y > 3:
        y = 3
    return x + y  # error
