"""Numbers among the attributes are baked in."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 3
        self.name = 'net'
        self.flags = [True, False]

    def forward(self, x):
        return x * self.scale if self.flags[0] else x


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
