"""copy takes no arguments: a slice copies a part."""

from typing import List


def program(values: List[int]) -> List[int]:
    return values.copy(1)  # error
