"""Where `a is not None and b is not None` fails, neither is known to be None."""

from typing import Optional


def program(a: Optional[int], b: Optional[int]) -> int:
    if a is not None and b is not None:
        return a + b
    else:
        return a  # error
