"""A literal with a j is an imaginary number; a complex one is a sum."""

from typing import List


def program(z: complex) -> List[complex]:
    return [1j, 2.5j, 1 + 2j, 1 - 1e-3j, z * 1j]


def inputs():
    return [(1 + 1j,), (0j,)]
