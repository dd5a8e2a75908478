"""A module's input may be a tuple."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, pair):
        x, y = pair
        return self.linear(x) + y


def build():
    return Net()


def example():
    return ((torch.linspace(-1.0, 1.0, 2).view(1, 2), torch.linspace(-1.0, 1.0, 2).view(1, 2)),)


def inputs():
    return [((torch.linspace(-1.0, 1.0, 2).view(1, 2), torch.linspace(-1.0, 1.0, 2).view(1, 2) * 2),)]
