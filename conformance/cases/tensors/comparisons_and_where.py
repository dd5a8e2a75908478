"""Comparisons give bool tensors; where chooses between tensors and numbers; masks combine with & | ~."""

from typing import List

import torch


def program(a: torch.Tensor, b: torch.Tensor, x: float) -> List[torch.Tensor]:
    mask = (a > b) | (a == x)
    odd = ~mask & (b != 0)
    return [
        mask,
        odd,
        torch.where(mask, a, b),
        torch.where(mask, x, 0.0),
        torch.where(odd, a, 1),
        a.masked_fill(mask, -1),
        a.masked_fill(odd, float("-inf")) if a.is_floating_point() else a,
        a.eq(b).logical_not(),
        torch.maximum(a, b),
        a <= 1,
        2 > b,
    ]


def inputs():
    return [
        (torch.tensor([1.0, 2.0, 3.0]), torch.tensor([3.0, 2.0, 0.0]), 2.0),
        (torch.tensor([[0], [1]]), torch.tensor([0, 1]), 1.0),
    ]
