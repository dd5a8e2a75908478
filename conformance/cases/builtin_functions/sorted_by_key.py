"""sorted takes no key."""

from typing import List


def size(n: int) -> int:
    return -n


def program(v: List[int]) -> List[int]:
    return sorted(v, key=size)  # error
