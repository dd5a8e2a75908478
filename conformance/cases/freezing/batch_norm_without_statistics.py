"""A batch norm without statistics cannot be folded."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.norm = nn.BatchNorm2d(4, track_running_stats=False)

    def forward(self, x):
        return self.norm(self.conv(x))


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 96).view(2, 3, 4, 4),), (torch.linspace(-1.0, 1.0, 96).view(2, 3, 4, 4),)]
