"""Two submodules of one class have one type and a method each."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.linear = nn.Linear(n, n)

    def forward(self, x):
        return torch.relu(self.linear(x)) + x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(2)
        self.second = Block(2)

    def forward(self, x):
        return self.second(self.first(x))


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),), (torch.linspace(-1.0, 1.0, 4).view(2, 2) * 3,)]
