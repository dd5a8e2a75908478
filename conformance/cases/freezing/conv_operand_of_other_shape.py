"""An operand that has more than one element a channel is left alone."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.shift = torch.ones(2)

    def forward(self, x):
        return self.conv(x) + self.shift


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 96).view(2, 3, 4, 4),), (torch.linspace(-1.0, 1.0, 96).view(2, 3, 4, 4),)]
