"""A Python module must have the attribute."""

import math


def program(x: float) -> float:
    y = math.sin(x)
    return y + math.sinus(x)  # error
