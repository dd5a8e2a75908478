"""A NamedTuple that is returned is a tuple of the trace."""

from typing import NamedTuple

import torch


class Pair(NamedTuple):
    low: torch.Tensor
    high: torch.Tensor


def program(x):
    return Pair(x - 1, x + 1)


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
