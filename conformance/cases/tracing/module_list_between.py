"""A list of tensors between two submodules is passed as its items."""

import torch
from torch import nn


class Levels(nn.Module):
    def forward(self, x):
        return [x, x * 2, x.t()]


class Total(nn.Module):
    def forward(self, levels):
        return levels[0] + levels[1] * levels[2]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.levels = Levels()
        self.total = Total()

    def forward(self, x):
        return self.total(self.levels(x))


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
