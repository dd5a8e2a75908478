"""An int literal is written in base 2, 8, 10 or 16; a minus before it belongs to the value."""

from typing import List


def program(n: int) -> List[int]:
    return [0b11, 0o17, 0xFF, 1_000, -1, -0, 0xFFFF_FFFF + n, -9223372036854775807 - n]


def inputs():
    return [(0,), (1,)]
