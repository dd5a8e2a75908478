"""Loops of a known number of iterations are unrolled."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 3
        self.scale = torch.ones(3)

    def forward(self, x):
        for i in range(self.n):
            x = x * self.scale + i
        return x


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
