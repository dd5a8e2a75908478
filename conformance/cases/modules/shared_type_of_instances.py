"""Instances of one class share a type when their attributes' types and constants agree, else not."""

from typing import Final

import torch
from torch import nn


class Unit(nn.Module):
    width: Final[int]

    def __init__(self, width: int, gain):
        super().__init__()
        self.width = width
        self.gain = gain

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.gain + self.width


class Quad(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Unit(1, 2.0)
        self.b = Unit(1, 3.5)
        self.c = Unit(2, 2.0)
        self.d = Unit(1, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.a(x) + self.b(x) * 10 + self.c(x) * 100 + self.d(x) * 1000


def build():
    return Quad()


def inputs():
    return [(torch.zeros(1),), (torch.tensor([1.0, -1.0]),)]
