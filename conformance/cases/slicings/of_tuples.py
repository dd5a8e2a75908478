"""A slice of a tuple is a tuple of the types in it; its bounds and its step are constants."""

from typing import Tuple


def program(t: Tuple[int, str, float, bool]) -> Tuple[Tuple[str, float], Tuple[int, float], int]:
    return t[1:3], t[::2], len(t[:-1]) + len(t[10:])


def inputs():
    return [((1, "a", 0.5, True),), ((0, "", -0.0, False),)]
