"""A tuple is no container that grows: += makes a list of it, which is no tuple any more."""

from typing import Tuple


def program(a: int, b: int) -> Tuple[int, int, int]:
    pair = (a, b)
    pair += (a,)
    return pair  # error
