"""A bool takes part in logic, equality and conversion."""

from typing import List, Tuple


def program(a: bool, b: bool, n: int) -> Tuple[List[bool], int, str]:
    bools = [a and b, a or b, not a, a == b, a != b, a & b, a | b, a ^ b, bool(n), n == 1]
    return bools, int(a) + int(b) * 2, str(a) + str(not b)


def inputs():
    return [(True, False, 0), (True, True, 1), (False, False, -1)]
