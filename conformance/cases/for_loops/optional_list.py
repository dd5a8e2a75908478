"""An Optional list cannot be walked before it is tested."""

from typing import List, Optional


def program(values: Optional[List[int]]) -> int:
    total = 0
    for value in values:  # error
        total += value
    return total
