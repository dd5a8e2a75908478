"""Integer floor division rounds toward minus infinity, also for negative operands."""

from typing import Tuple


def program(a: int, b: int, x: float) -> Tuple[int, float, int]:
    total = 0
    for i in range(a, b, 2):
        total += i // 3 - (-i) // 4
    return total // -5, x // 0.75, int(x // -2.0)


def inputs():
    return [(-9, 10, 3.3), (4, -4, -3.3), (0, 1, 0.75), (-7, 8, 1e9), ("a", 1, 1.0), (1, 2)]
