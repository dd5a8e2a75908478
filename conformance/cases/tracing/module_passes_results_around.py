"""A result of one submodule is used by two others, and inside a third."""

import torch
from torch import nn


class Mix(nn.Module):
    def forward(self, x, y):
        return x * y, x - y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2)
        self.mix = Mix()
        self.last = nn.ReLU()

    def forward(self, x):
        h = self.first(x)
        a, b = self.mix(h, x)
        c, _ = self.mix(b, h)
        return self.last(a) + self.last(c) + h


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
