"""*t spreads a tuple into positional arguments, since its length is known."""

from typing import Tuple


def area(width: int, height: int, border: float) -> float:
    return width * height + border


def program(t: Tuple[int, int], x: float) -> float:
    return area(*t, x) + area(*(2, 3), border=x)


def inputs():
    return [((1, 2), 0.5), ((0, 0), -1.0)]
