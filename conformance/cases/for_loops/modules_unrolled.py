"""A loop over a ModuleList is unrolled, so each turn may call another class; with enumerate the index is a constant."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ReLU(), nn.Linear(2, 2, bias=False), nn.Flatten(0)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i, layer in enumerate(self.layers):
            x = layer(x) + i
        return x


def build():
    return Net()


def inputs():
    return [(torch.zeros(2),), (-torch.ones(1, 2),)]
