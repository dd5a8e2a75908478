"""A comprehension needs something to walk."""

from typing import List


def program(n: int) -> List[int]:
    m = n + 1
    return [i for i in m]  # error
