"""Two attributes that are one tensor both stay if one is changed."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.zeros(3)
        self.b = self.a
        self.c = torch.zeros(3)

    def forward(self, x):
        self.a.add_(1)
        return x + self.b + self.c


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
