"""A method that is no forward belongs to the caller."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def embed(self, x):
        return self.linear(x).relu()

    def forward(self, x):
        return self.embed(x) + self.embed(x * 2)


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
