"""A string is no angle."""

import math


def program(text: str) -> float:
    return math.sin(text)  # error
