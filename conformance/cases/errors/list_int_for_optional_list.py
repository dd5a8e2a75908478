"""Lists are invariant: a list of ints is no list of Optional ints."""

from typing import List, Optional


def count(values: List[Optional[int]]) -> int:
    return len(values)


def program(values: List[int]) -> int:
    return count([1, None]) + count(values)  # error
