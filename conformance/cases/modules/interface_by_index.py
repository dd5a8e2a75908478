"""An index that is a variable needs an interface: all members of the list are called by one signature."""

import torch
from torch import nn


@torch.jit.interface
class Layer:
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


class Add(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.n = n

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.n


class Mul(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class Choose(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Add(1), Mul(), Add(5)])

    def forward(self, x: torch.Tensor, which: int) -> torch.Tensor:
        layer: Layer = self.layers[which]
        return layer.forward(x)


def build():
    return Choose()


def inputs():
    return [(torch.ones(1), 0), (torch.ones(1), 1), (torch.ones(1), -1), (torch.ones(1), 7)]
