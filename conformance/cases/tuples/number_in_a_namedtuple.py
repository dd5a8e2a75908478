"""A field of a collections.namedtuple takes no number."""

from collections import namedtuple

import torch

Pair = namedtuple("Pair", ["first", "second"])


def program(x: torch.Tensor, n: int) -> Pair:
    pair = Pair(x, x)
    return Pair(pair.first, n)  # error
