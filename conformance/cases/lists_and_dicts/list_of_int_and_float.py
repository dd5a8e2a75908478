"""A list display does not promote: ints and floats do not go into one list of floats."""

from typing import List


def program(n: int) -> List[float]:
    halves = [n / 2, 0.5]
    return halves + [n, 0.5]  # error
