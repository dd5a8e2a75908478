"""The value returned is not of the annotated type."""

from typing import List


def program(n: int) -> List[int]:
    if n > 2:
        return [n]
    return [float(n)]  # error
