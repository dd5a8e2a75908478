"""A NamedTuple between two submodules is passed as its fields."""

from typing import NamedTuple

import torch
from torch import nn


class Pair(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


class Split(nn.Module):
    def forward(self, x):
        return Pair(x * 2, x + 1)


class Join(nn.Module):
    def forward(self, pair):
        return pair.first - pair.second


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.split = Split()
        self.join = Join()

    def forward(self, x):
        return self.join(self.split(x))


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
