"""- before a number negates it, zero's sign too; the least int is its own negative."""

from typing import List, Tuple


def program(a: int, x: float, z: complex) -> Tuple[int, int, List[float], complex]:
    return -a, --a, [-x, -(-x), 0.0 - x], -z


def inputs():
    return [(3, 0.0, 1 - 2j), (-(2**63), float("nan"), 0j), (0, -1.5, -1j)]
