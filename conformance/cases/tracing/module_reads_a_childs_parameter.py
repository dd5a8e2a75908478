"""A parameter of a submodule is read through the submodule."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        return x @ self.linear.weight.t() + self.linear(x)


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(1, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(1, 2),)]
