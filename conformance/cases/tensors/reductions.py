"""Reductions over all, over a dimension and over several, with indices as named results."""

from typing import List, Tuple

import torch


def program(x: torch.Tensor) -> Tuple[List[torch.Tensor], List[torch.Tensor]]:
    best = x.max(dim=1)
    values, indices = torch.min(x, 0, keepdim=True)
    low = x.sort(dim=-1, descending=True)
    top = torch.topk(x, k=2, dim=1)
    first = [x.max(), x.argmin(), best.values, best[0], values, low[0], top.values]
    second = [best.indices, indices, low.indices, top[1], x.argmax(1), (x > 1).any(dim=0), x.nonzero()]
    return first, second


def inputs():
    return [
        (torch.tensor([[3, 1, 2], [0, 5, 4]]),),
        (torch.tensor([[0.5, -1.0], [2.0, 1.5]]),),
        (torch.zeros(1, 1),),
    ]
