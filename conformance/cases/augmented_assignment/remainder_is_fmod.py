"""%= on numbers is C's fmod, not %: a float with the sign of its left operand."""

from typing import Tuple


def program(a: int, b: int) -> Tuple[float, int]:
    c = a
    c %= b
    return c, a % b


def inputs():
    return [(13, 6), (-13, 6), (7, -4)]
