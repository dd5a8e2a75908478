"""An expanded tensor has one element in many places: it cannot be written in place."""

import torch


def program(x: torch.Tensor, n: int) -> torch.Tensor:
    wide = x.expand(n)
    wide.add_(1)
    return x


def inputs():
    return [(torch.zeros(1), 1), (torch.zeros(1), 3)]
