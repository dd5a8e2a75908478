"""A tuple's type says how long it is."""

from typing import Tuple


def program(pair: Tuple[int, int], more: Tuple[int, ...]) -> int:  # error
    return pair[0] + more[0]
