"""An Optional mask passes through layers; each decides anew, and gives an Optional on."""

from typing import List, Optional, Tuple

import torch
from torch import nn


class Stage(nn.Module):
    def __init__(self, keep: bool):
        super().__init__()
        self.keep = keep

    def forward(
        self, x: torch.Tensor, mask: Optional[torch.Tensor]
    ) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
            if not self.keep:
                return x - 1, None
        elif self.keep:
            mask = x > 1
        return x + 1, mask


class Pipeline(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([Stage(True), Stage(False), Stage(True), Stage(False)])

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None) -> Tuple[torch.Tensor, List[int]]:
        trail: List[int] = []
        for stage in self.stages:
            x, mask = stage(x, mask)
            trail.append(-1 if mask is None else int(mask.sum()))
        return x, trail


def build():
    return Pipeline()


def inputs():
    x = torch.tensor([0.5, 1.5])
    return [(x,), (x, torch.tensor([True, False])), (x, torch.tensor([[False], [True]]))]
