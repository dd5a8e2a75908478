"""divmod gives // and % at once, of ints or of floats."""

from typing import Tuple


def program(a: int, b: int, x: float) -> Tuple[int, int, float, float]:
    q, r = divmod(a, b)
    fq, fr = divmod(x, 2.0)
    return q, r, fq, fr


def inputs():
    return [(7, 3, 5.5), (-7, 3, -5.5), (7, -3, 0.0), (0, 1, -0.5), (1, 0, 1.0)]
