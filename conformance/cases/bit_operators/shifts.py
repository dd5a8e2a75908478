"""<< and >> shift ints; >> keeps the sign, and what << shifts out of 64 bits is lost."""

from typing import List


def program(a: int, n: int) -> List[int]:
    return [a << n, a >> n, 1 << n, -1 >> n, a << n >> n]


def inputs():
    return [(5, 2), (-5, 1), (2**62, 1), (7, 0), (-1, 63)]
