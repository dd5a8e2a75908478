"""ldexp's exponent is an int."""

import math


def program(x: float) -> float:
    return math.ldexp(x, 0.5)  # error
