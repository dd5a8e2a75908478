"""A name is local from its binding on: before it, the module's function of that name is meant."""

from typing import Tuple


def scale(n: int) -> int:
    return n * 10


def program(n: int) -> Tuple[int, int]:
    first = scale(n)
    scale = first + 1
    return first, scale


def inputs():
    return [(1,), (-2,)]
