"""** binds to the right and tighter than a minus before it, looser than one after it."""

from typing import List


def program(x: float, y: float) -> List[float]:
    return [-(x**2), -(x**2.0), x**-y, 2.0 ** x**y, (2.0**x) ** y]


def inputs():
    return [(3.0, 2.0), (0.5, -1.0), (-2.0, 0.0)]
