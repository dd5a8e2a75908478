"""gcd is never negative; factorial of a negative number raises."""

import math
from typing import Tuple


def program(a: int, b: int) -> Tuple[int, int]:
    return math.gcd(a, b), math.factorial(a)


def inputs():
    return [(12, 18), (0, 0), (5, -15), (-4, 6), (20, 1)]
