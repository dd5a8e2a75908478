"""A submodule's forward is a method of its own type, and is called."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)

    def forward(self, x):
        return self.linear(x) + 1


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 12).view(4, 3),)]
