"""Integer literals in every base, digit separators, and floats print and read back exactly."""

from typing import List, Tuple


def program(n: int) -> Tuple[List[int], List[float]]:
    ints = [0xFF, 0o17, 0b101, 1_000_000, 9223372036854775807, -9223372036854775807, n]
    floats = [1e-3, 1.0, 0.1, 3.141592653589793, 1e16, 123456789.125, 5e-324, 1_0.5, float(n)]
    return ints, floats


def inputs():
    return [(1,), (2**53 + 1,)]
