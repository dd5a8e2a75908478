"""hash takes any value, and raises for lists, dicts, complex numbers, members of an Enum and tuples of such."""

from enum import Enum
from typing import Any, Dict, List, Tuple

import torch


class Suit(Enum):
    HEARTS = 1


def program(which: int, suit: Suit) -> int:
    xs = [which]
    if which == 0:
        return hash(xs)
    if which == 1:
        return hash({"a": which})
    if which == 2:
        return hash(complex(1.0, 2.0))
    if which == 3:
        return hash(suit)
    if which == 4:
        return hash((which, xs))
    whatever: Any = xs
    return hash(whatever)


def inputs():
    return [(which, Suit.HEARTS) for which in range(6)]
