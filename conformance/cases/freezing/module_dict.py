"""The same for a dict of modules."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({'a': nn.Linear(3, 3), 'b': nn.Linear(3, 2)})

    def forward(self, x):
        return self.layers['b'](self.layers['a'](x))


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
