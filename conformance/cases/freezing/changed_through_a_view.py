"""A write to a view is one to the attribute."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = torch.zeros(3)

    def forward(self, x):
        part = self.total[:2]
        part.add_(1)
        return x + self.total


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
