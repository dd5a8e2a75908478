"""& | ^ of ints work on two's complement bits."""

from typing import List


def program(a: int, b: int) -> List[int]:
    return [a & b, a | b, a ^ b, a & 0xFF, a | 0b1010, (a ^ b) ^ b]


def inputs():
    return [(12, 10), (-1, 7), (0, -(2**63)), (-8, -3)]
