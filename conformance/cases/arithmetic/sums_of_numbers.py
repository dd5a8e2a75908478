"""+ and - of two ints are an int, with a float on either side a float, with a complex a complex."""

from typing import List, Tuple


def program(a: int, b: int, x: float, z: complex) -> Tuple[List[int], List[float], List[complex]]:
    ints = [a + b, a - b, b - a]
    floats = [a + x, x + a, a - x, x - a, x - x]
    return ints, floats, [z + a, a - z, x + z, z - z]


def inputs():
    return [(3, -4, 0.5, 1 + 2j), (0, 0, float("inf"), 0j), (-1, 1, -0.0, 2j)]
