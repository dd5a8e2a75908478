"""isinstance takes its value and its types by position alone."""

from typing import Optional


def program(x: Optional[int]) -> bool:
    return isinstance(x, int, strict=True)  # error
