"""Nested loops over a Sequential and a list, submodules called through self, and a loop that keeps every result."""

from typing import List

import torch
from torch import nn


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2), nn.Tanh())
        self.taps = nn.ModuleList([nn.Identity(), nn.Linear(2, 1)])

    def forward(self, x: torch.Tensor) -> List[torch.Tensor]:
        found = [self.stem(x)]
        for layer in self.stem:
            x = layer(x)
            for tap in self.taps:
                found.append(tap(x))
        for i, (layer, tap) in enumerate(zip(self.stem, self.taps)):
            found.append(layer(tap(x) * torch.ones(2)) + i)
        return found


def build():
    return Features()


def inputs():
    return [(torch.ones(2),), (torch.tensor([[0.5, -0.5]]),)]
