"""A for loop's bounds are evaluated once; assigning to the counter does not disturb the loop."""

from typing import List


def program(n: int) -> List[int]:
    seen: List[int] = []
    for i in range(n):
        seen.append(i)
        n = n - 1
        i = i * 10
        seen.append(i + n)
    return seen


def inputs():
    return [(3,), (0,), (-2,)]
