"""int, float, bool and complex are types of their own; each is returned as what it is."""

from typing import Tuple


def program(n: int, x: float, flag: bool, z: complex) -> Tuple[int, float, bool, complex]:
    return n + 1, x, not flag, z


def inputs():
    return [(1, 1.0, True, 1j), (-(2**63), float("-inf"), False, 0j), (2**63 - 1, -0.0, True, 1 + 0j)]
