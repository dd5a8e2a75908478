"""hex, oct and bin write an int with its prefix, the sign before it."""

from typing import List


def program(n: int) -> List[str]:
    return [hex(n), oct(n), bin(n)]


def inputs():
    return [(255,), (0,), (8,), (2**40,)]
