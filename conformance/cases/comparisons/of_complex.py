"""Complex numbers are equal or not, also with floats."""

from typing import List


def program(z: complex, x: float) -> List[bool]:
    return [z == x, z != x, x == z]


def inputs():
    return [(1 + 0j, 1.0), (1j, 0.0), (complex(2, -0.0), 2.0)]
