"""Returns at different depths and with computed values; what follows them does not run."""

from typing import List


def program(values: List[int], limit: int) -> int:
    total = 0
    for i, value in enumerate(values):
        if value < 0:
            while True:
                total += 1
                if total > limit:
                    return total * 100
                if total % 3 == 0:
                    break
            continue
        if value == limit:
            if i == 0:
                return -1
            for other in values:
                if other == -value:
                    return other - total
        total += value
    return total


def inputs():
    return [([], 1), ([2], 2), ([1, -1, 4], 6), ([1, 5, -5], 5), ([-1, -1, -1], 4)]
