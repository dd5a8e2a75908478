"""Modules within modules have methods at every level."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.outer = nn.Sequential(nn.Sequential(nn.Linear(2, 2)), nn.Tanh())

    def forward(self, x):
        return self.outer(x)


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(1, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(1, 2),)]
