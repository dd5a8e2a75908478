"""Batch norm that was evaluating when it was traced evaluates ever after."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.eval()

    def forward(self, x):
        return self.norm(x)


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 12).view(4, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 12).view(4, 3),), (torch.linspace(-1.0, 1.0, 3).view(1, 3),)]
