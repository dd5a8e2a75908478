"""A submodule without a result that is used returns None."""

import torch
from torch import nn


class Quiet(nn.Module):
    def forward(self, x):
        x.add_(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.quiet = Quiet()

    def forward(self, x):
        x = x.clone()
        self.quiet(x)
        return x * 2


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 3).view(3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 3).view(3),)]
