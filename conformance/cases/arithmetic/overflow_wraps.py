"""The sum, the product and the negative of ints are taken modulo 2**64."""

from typing import List


def program(a: int, b: int) -> List[int]:
    return [a + b, a * b, a - b, -a, abs(a)]


def inputs():
    top = 2**63 - 1
    return [(top, 1), (-top - 1, -1), (top, top), (2**32, 2**32), (-top - 1, top)]
