"""Two submodules of one type may keep different attributes."""

import torch
from torch import nn


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = torch.zeros(3)

    def forward(self, x):
        return x * self.total


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Counter()
        self.second = Counter()

    def forward(self, x):
        self.first.total.add_(1)
        return x + self.first(x) + self.second(x)


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
