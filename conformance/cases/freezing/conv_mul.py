"""A product with a constant goes into the weight and the bias."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.scale = torch.full((4, 1, 1), 2.0).view(1, 4, 1, 1)

    def forward(self, x):
        return self.conv(x) * self.scale


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 96).view(2, 3, 4, 4),), (torch.linspace(-1.0, 1.0, 96).view(2, 3, 4, 4),)]
