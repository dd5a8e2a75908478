"""A tuple is no key, in a dict comprehension as in a display."""

from typing import List


def program(xs: List[int]) -> int:
    squares = {x: x * x for x in xs}
    pairs = {(x, x): x for x in xs}  # error
    return len(squares) + len(pairs)
