"""sort takes no key, only reverse."""

from typing import List


def size(n: int) -> int:
    return -n


def program(values: List[int]) -> List[int]:
    values.sort(key=size)  # error
    return values
