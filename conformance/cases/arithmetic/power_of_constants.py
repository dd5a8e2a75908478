"""A power of int literals is an int, also if the exponent is negative; with a float it is a float."""

from typing import List


def program(x: float) -> List[float]:
    return [float(2**10), float(10**0), 2**0.5, x**2, x**-1, x**0]


def inputs():
    return [(3.0,), (-0.5,), (float("inf"),)]
