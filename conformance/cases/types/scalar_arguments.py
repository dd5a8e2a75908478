"""A parameter of a Scalar or a float takes an int; a parameter of an int takes no float."""

from typing import List

import torch


def half(x: float) -> float:
    return x / 2


def program(x: torch.Tensor, n: int, f: float) -> List[torch.Tensor]:
    return [
        torch.add(x, n),
        torch.add(x, f, alpha=n),
        x.clamp(n, 3),
        x.clamp(max=f),
        torch.full([2], n),
        torch.full([2], f),
        x.pow(n),
        x * half(f),
        torch.where(x > n, f, 0.0),
    ]


def inputs():
    return [(torch.tensor([0.5, 4.0]), 2, 1.5), (torch.arange(3), 1, 2.0)]
