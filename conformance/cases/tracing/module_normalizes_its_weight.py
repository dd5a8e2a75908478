"""Parameters are computed with before they are used."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2, 2) * 2)
        self.gain = nn.Parameter(torch.ones(2))

    def forward(self, x):
        norm = self.weight.norm(dim=1, keepdim=True)
        return nn.functional.linear(x, self.weight / norm) * self.gain


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
