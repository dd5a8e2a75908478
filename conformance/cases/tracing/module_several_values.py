"""A submodule that gives several values gives a tuple, which its caller unpacks."""

import torch
from torch import nn


class Pair(nn.Module):
    def forward(self, x, y):
        return x + y, (x - y, x * y)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pair = Pair()

    def forward(self, x):
        total, (difference, product) = self.pair(x, x * 2)
        return total * difference + product


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 3).view(3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 3).view(3),)]
