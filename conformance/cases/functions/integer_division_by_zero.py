"""Division by zero raises for //, is infinite or NaN for /, as the operands' types say."""

from typing import Tuple


def program(a: int, b: int, x: float) -> Tuple[float, float]:
    q = a / b
    r = x / b
    if a > 5:
        q += a // b
    return q, r


def inputs():
    return [(1, 0, 1.0), (-1, 0, 0.0), (6, 0, 1.0), (7, 2, 1.5)]
