"""A submodule of which something is changed stays, with that alone."""

import torch
from torch import nn


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = torch.zeros(3)
        self.step = torch.ones(3)

    def forward(self, x):
        self.total.add_(self.step)
        return x * self.total


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.counter = Counter()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        return self.linear(x) + self.counter(x)


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
