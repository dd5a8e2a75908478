"""The modules of a ModuleDict are called by path."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({'a': nn.Linear(2, 2), 'b': nn.ReLU()})

    def forward(self, x):
        return self.layers['b'](self.layers['a'](x))


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(1, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(1, 2),)]
