"""The parameters of a ParameterList are attributes of it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = nn.ParameterList([torch.ones(2), torch.ones(2) * 2])

    def forward(self, x):
        for scale in self.scales:
            x = x * scale
        return x


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(1, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(1, 2),)]
