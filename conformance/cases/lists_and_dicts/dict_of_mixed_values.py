"""A dict whose values are of several types is a dict of a Union of them, and no dict of one of them."""

from typing import Dict


def program(n: int, s: str) -> Dict[str, int]:
    ints = {"n": n, "m": 2}
    mixed = {"n": n, "s": s}
    if n > 0:
        return ints
    return mixed  # error
