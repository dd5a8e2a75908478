"""A Python module has no such attribute."""

import math


def program(n: float) -> float:
    return math.square(n)  # error
