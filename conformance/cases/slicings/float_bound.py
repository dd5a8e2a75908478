"""The bounds of a slice are ints or None."""

from typing import List


def program(values: List[int], half: float) -> List[int]:
    return values[: half * 2]  # error
