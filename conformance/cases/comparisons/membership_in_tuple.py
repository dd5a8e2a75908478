"""Nothing is looked for in a tuple of mixed types."""

from typing import Tuple


def program(pair: Tuple[int, str], n: int) -> bool:
    first, second = pair
    return n in pair or first == n  # error
