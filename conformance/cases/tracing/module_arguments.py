"""What a submodule is given are parameters of its method, in the order in which it uses them."""

import torch
from torch import nn


class Pair(nn.Module):
    def forward(self, x, y):
        return x + y, (x - y, x * y)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pair = Pair()
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, x):
        return self.pair(x * self.scale, self.scale)[1]


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 3).view(3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 3).view(3),)]
