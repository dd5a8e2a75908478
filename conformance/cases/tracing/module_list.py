"""A ModuleList has no forward; what it holds is called by path."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(1, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(1, 2),)]
