"""A parameter of the parent that a child uses is an argument of the child's method."""

import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x, weight):
        return x * weight


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.weight = nn.Parameter(torch.tensor([1.0, 2.0]))

    def forward(self, x):
        return self.inner(x, self.weight)


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
