"""A function marked with script_if_tracing is called twice by a module: one compiled function, two calls."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        return gate(self.linear(x)) + gate(x - 10)


@torch.jit.script_if_tracing
def gate(x):
    if bool(x.sum() > 0):
        return x * 3
    return -x


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),), (torch.linspace(-1.0, 1.0, 4).view(2, 2) + 20,)]
