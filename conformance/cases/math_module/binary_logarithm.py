"""math.log2 is not in the language: log takes a base."""

import math


def program(x: float) -> float:
    return math.log2(x)  # error
