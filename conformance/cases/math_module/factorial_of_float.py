"""factorial takes ints."""

import math


def program(x: float) -> int:
    return math.factorial(x)  # error
