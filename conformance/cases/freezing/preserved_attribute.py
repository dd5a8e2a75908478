"""A preserved attribute stays one."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2
        self.shift = torch.ones(3)
        self.bias = torch.ones(3) * 2

    def forward(self, x):
        return x * self.scale + self.shift + self.bias


def build():
    return Net().eval()


def freezing():
    return {"preserved_attrs": ["scale", "shift"]}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
