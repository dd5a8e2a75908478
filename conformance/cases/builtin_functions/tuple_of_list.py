"""A list's length is not known to the compiler, so no tuple can be made of it."""

from typing import List, Tuple


def program(values: List[int]) -> Tuple[int, int]:
    return tuple(values)  # error
