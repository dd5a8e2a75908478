"""int ** int is an int when the compiler can say so, else a number chosen by the exponent's type."""

from typing import Tuple


def program(a: int, x: float) -> Tuple[float, float, float]:
    return a**2 + 0.0, x**a, 2**x


def inputs():
    return [(3, 0.5), (0, 4.0), (-2, 9.0)]
