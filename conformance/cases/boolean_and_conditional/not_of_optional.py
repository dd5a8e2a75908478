"""An Optional has no truth value: it is compared with None."""

from typing import Optional


def program(n: Optional[int]) -> bool:
    if n is not None:
        return not n
    return not n  # error
