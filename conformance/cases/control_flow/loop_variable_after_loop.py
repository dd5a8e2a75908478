"""A variable bound before and in a loop has its last value after it."""

from typing import Tuple


def program(n: int) -> Tuple[int, int, int]:
    i = -1
    last = 0
    for i in range(n):
        if i == 3:
            break
        last = i * i
    j = i
    while j > 0:
        i, j = j, j - i - 1
    return i, j, last


def inputs():
    return [(0,), (1,), (2,), (9,)]
