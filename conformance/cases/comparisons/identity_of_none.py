"""`is` asks whether a value is None; on what cannot be None it is decided while compiling."""

from typing import List, Optional


def program(a: Optional[int], b: int) -> List[bool]:
    return [a is None, a is not None, b is None, b is not None, None is a, None is None]


def inputs():
    return [(None, 1), (0, 0), (5, -1)]
