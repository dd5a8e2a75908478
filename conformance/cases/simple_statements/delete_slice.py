"""del removes single items, not slices."""

from typing import List


def program(values: List[int]) -> List[int]:
    del values[1:]  # error
    return values
