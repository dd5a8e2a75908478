"""A loop over a ModuleList is unrolled: each call has the path of its module."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Sigmoid(), nn.Linear(2, 2)])

    def forward(self, x):
        for index, layer in enumerate(self.layers):
            x = layer(x) + index
        return x


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
