"""% takes numbers, tensors, and a string on its left; no list."""

from typing import List


def program(values: List[int], n: int) -> int:
    m = n % 3
    return values % m  # error
