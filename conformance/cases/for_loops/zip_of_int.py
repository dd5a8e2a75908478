"""Everything that is zipped must be something to walk."""

from typing import List


def program(values: List[int], n: int) -> int:
    for value, m in zip(values, n):  # error
        n += value
    return n
