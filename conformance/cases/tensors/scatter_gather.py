"""gather, scatter_, index_add_ and take_along read and write by index."""

from typing import List

import torch


def program(x: torch.Tensor, idx: torch.Tensor) -> List[torch.Tensor]:
    picked = x.gather(1, idx)
    zeros = torch.zeros_like(x)
    zeros.scatter_(1, idx, 5)
    zeros.scatter_add_(1, idx, picked)
    base = x.clone().index_add_(0, idx[:, 0], x, alpha=2)
    return [picked, zeros, base, x.index_fill(0, torch.tensor([0]), -1), torch.take(x, idx)]


def inputs():
    return [
        (torch.arange(4.0).view(2, 2), torch.tensor([[0, 1], [1, 0]])),
        (torch.arange(4).view(2, 2), torch.tensor([[1], [0]])),
        (torch.arange(4.0).view(2, 2), torch.tensor([[0], [2]])),
    ]
