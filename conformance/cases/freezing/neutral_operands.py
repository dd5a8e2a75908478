"""Sums with 0 and products with 1 are left out."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = 1
        self.zero = 0

    def forward(self, x):
        y = torch.relu(x)
        z = (y * self.one + self.zero).t().t() / 2
        return torch.sigmoid(z)


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
