"""A write to a buffer is recorded, and each call does it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('count', torch.zeros(()))

    def forward(self, x):
        self.count += 1
        return x * self.count


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),), (torch.linspace(-1.0, 1.0, 3).view(3),)]
