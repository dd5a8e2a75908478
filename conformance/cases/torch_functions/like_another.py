"""The *_like functions take shape, dtype and device from a tensor, save for what is given."""

from typing import List

import torch


def program(x: torch.Tensor) -> List[torch.Tensor]:
    return [
        torch.zeros_like(x),
        torch.ones_like(x, dtype=torch.float64),
        torch.full_like(x, 3),
        torch.empty_like(x).fill_(1),
    ]


def inputs():
    return [(torch.tensor([[1, 2]]),), (torch.zeros(0, 2),), (torch.tensor(True),)]
