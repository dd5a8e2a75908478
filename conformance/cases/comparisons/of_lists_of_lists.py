"""A list of lists has no equality."""

from typing import List


def program(a: List[List[int]], b: List[List[int]]) -> bool:
    if len(a) != len(b):
        return False
    return a == b  # error
