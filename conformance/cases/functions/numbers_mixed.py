"""int and float mix to float, division is always float, and remainders take the divisor's sign."""

from typing import List, Tuple


def program(a: int, x: float) -> Tuple[List[float], List[int]]:
    floats = [a + x, x - a, a * x, a / 2, a / x, a % x, x**2, 2.0**a, abs(x), -x, x % -3]
    ints = [a // 2, a % 3, -a % 3, a % -3, abs(a), -a, a & 6, a | 9, a ^ 5, a << 2, a >> 1]
    return floats, ints


def inputs():
    return [(3, 0.5), (-7, 2.25), (0, -1.5), (10, 3.0)]
