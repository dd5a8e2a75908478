"""// rounds down whatever the signs are; with a float it gives a whole float, infinity by zero."""

from typing import List, Tuple


def program(a: int, b: int, x: float) -> Tuple[int, List[float]]:
    return a // b, [a // x, x // b, x // x]


def inputs():
    return [(7, 2, 2.5), (-7, 2, -2.5), (7, -2, 0.1), (-7, -2, 1e300), (3, 2, 0.0)]
