"""There are no set comprehensions."""

from typing import List


def program(values: List[int]) -> int:
    n = len(values)
    return n + len({v for v in values})  # error
