"""Parameters and buffers are read by GetAttr at the beginning of the method that uses them."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, 2.0]))
        self.register_buffer('offset', torch.tensor([0.5, -0.5]))

    def forward(self, x):
        return x * self.weight + self.offset


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(3, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(3, 2),), (torch.linspace(-1.0, 1.0, 2).view(1, 2),)]
