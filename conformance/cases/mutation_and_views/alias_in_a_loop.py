"""A variable that a loop rebinds may be another's view in some turns only."""

from typing import Tuple

import torch


def program(x: torch.Tensor, n: int) -> Tuple[torch.Tensor, torch.Tensor]:
    y = x
    for i in range(n):
        y.add_(1)
        if i == 1:
            y = y * 10
    return x, y


def inputs():
    return [(torch.zeros(2), 0), (torch.zeros(2), 2), (torch.zeros(2), 4)]
