"""A masked softmax written step by step, with broadcasting, -inf and rows that are wholly masked."""

from typing import Optional

import torch


def program(scores: torch.Tensor, mask: Optional[torch.Tensor], scale: float) -> torch.Tensor:
    scores = scores / scale
    if mask is not None:
        if mask.dtype == torch.bool:
            scores = scores.masked_fill(mask, float("-inf"))
        else:
            scores = scores + mask
    peak = scores.max(dim=-1, keepdim=True)[0]
    weights = (scores - peak).exp()
    total = weights.sum(-1, keepdim=True)
    return torch.where(total > 0, weights / total, torch.zeros_like(weights))


def inputs():
    x = torch.arange(6.0).view(2, 3)
    return [
        (x, None, 2.0),
        (x, torch.tensor([0.0, -1.0, -9.0]), 1.0),
        (x, torch.tensor([[True, False, False], [True, True, True]]), 0.5),
    ]
