"""A tuple of Optional ints does not pass for a tuple of ints."""

from typing import Optional, Tuple


def total(pair: Tuple[int, int]) -> int:
    return pair[0] + pair[1]


def program(n: int, m: Optional[int]) -> int:
    a = total((n, n))
    return a + total((n, m))  # error
