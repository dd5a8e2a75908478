"""math.trunc is not in the language: int() truncates."""

import math


def program(x: float) -> int:
    return math.trunc(x)  # error
