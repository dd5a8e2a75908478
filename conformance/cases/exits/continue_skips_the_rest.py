"""continue goes on with the next turn, in while loops after evaluating the condition anew."""

from typing import List, Tuple


def program(values: List[int], n: int) -> Tuple[int, int]:
    total = 0
    for value in values:
        if value < 0:
            continue
        total += value
    odd = 0
    while n > 0:
        n -= 1
        if n % 2 == 0:
            continue
        odd += n
    return total, odd


def inputs():
    return [([1, -2, 3], 6), ([], 0), ([-1], 1)]
