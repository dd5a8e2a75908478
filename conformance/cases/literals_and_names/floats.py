"""A literal with a point or an exponent is a float, of 64 bits; one too large is infinite."""

from typing import List


def program(x: float) -> List[float]:
    return [1.0, 0.5, 5e-1, 1e3, 1.5e-3, 1e400, -1e400, x + 0.1]


def inputs():
    return [(0.2,), (-0.1,)]
