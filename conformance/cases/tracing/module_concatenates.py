"""Results of submodules are joined along a dimension, and split again."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.branches = nn.ModuleList([nn.Linear(2, 1), nn.Linear(2, 3)])

    def forward(self, x):
        joined = torch.cat([branch(x) for branch in self.branches], dim=1)
        first, second = joined.split([3, 1], dim=1)
        return torch.stack([first.sum(1), second.sum(1)])


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
