"""On tensors of ints and bools, |= &= ^= <<= and >>= work in place where torch has such a method."""

from typing import List

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> List[torch.Tensor]:
    a, b, c, d, e = x.clone(), x.clone(), x.clone(), x.clone(), x.clone()
    a |= y
    b &= y
    c ^= y
    d <<= 1
    e >>= 1
    return [a, b, c, d, e]


def inputs():
    return [(torch.tensor([1, -2, 12]), torch.tensor([3, 3, -8])), (torch.zeros(1).int(), torch.ones(1).int())]
