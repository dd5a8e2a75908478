"""pow is **; divmod gives floor quotient and remainder, of ints and of floats."""

from typing import Tuple


def program(a: int, b: int, f: float) -> Tuple[float, Tuple[int, int], Tuple[float, float]]:
    return pow(f, a), divmod(a, b), divmod(f, b)


def inputs():
    return [(7, 2, 1.5), (-7, 2, -1.5), (7, -2, 0.5), (1, 0, 1.0)]
