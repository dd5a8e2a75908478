"""Loops over a ModuleList and its slices are unrolled: with enumerate, zip, constant indices and len."""

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, factor: float):
        super().__init__()
        self.factor = factor

    def forward(self, x: torch.Tensor, power: int = 1) -> torch.Tensor:
        return x * self.factor**power


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Scale(2.0), Scale(3.0), Scale(5.0)])
        self.others = nn.ModuleList([nn.ReLU(), Scale(0.5), nn.Identity()])

    def forward(self, x: torch.Tensor, stop: int) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)
        for i, layer in enumerate(self.layers):
            if i == stop:
                x = layer(x, power=-i)
        for layer, other in zip(self.layers, self.others):
            x = other(x) + layer(x)
        for later in self.layers[1:]:
            x = x - later.forward(x)
        for i, last in enumerate(self.layers[::-1]):
            x = last.forward(x, i)
        return self.layers[-1](x) + self.layers[0](x) * len(self.layers)


def build():
    return Stack()


def inputs():
    return [(torch.tensor([1.0, -2.0]), 0), (torch.tensor([0.5]), 1), (torch.tensor(3.0), 9)]
