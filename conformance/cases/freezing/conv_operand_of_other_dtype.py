"""An operand of integers is folded where it does not change the dtype."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.shift = torch.tensor([2])
        self.wide = torch.tensor([2.0], dtype=torch.float64)

    def forward(self, x):
        return self.conv(x) * self.shift, self.conv(x) * self.wide


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 96).view(2, 3, 4, 4),), (torch.linspace(-1.0, 1.0, 96).view(2, 3, 4, 4),)]
