"""A ModuleDict is walked by items, keys and values, tested with `in`, and indexed by constant keys."""

from typing import List

import torch
from torch import nn


class Bank(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"up": nn.Linear(2, 2), "act": nn.Tanh(), "none": nn.Identity()})

    def forward(self, x: torch.Tensor) -> List[torch.Tensor]:
        found: List[torch.Tensor] = []
        for name, part in self.parts.items():
            if name != "none":
                x = part(x)
            found.append(x)
        count = 0
        for name in self.parts.keys():
            count += len(name)
        for part in self.parts.values():
            x = part(x)
        if "act" in self.parts:
            x = self.parts["act"](x)
        if "missing" not in self.parts:
            x = x + len(self.parts)
        found.append(x + count)
        return found


def build():
    return Bank()


def inputs():
    return [(torch.ones(1, 2),), (torch.zeros(3, 2),), (torch.ones(1, 3),)]
