"""A block of a residual network."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU(inplace=True))
        self.second = nn.Sequential(nn.Conv2d(3, 3, 3, padding=1), nn.BatchNorm2d(3))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        y = torch.relu(self.second(self.first(x)) + x)
        return self.head(self.pool(y).flatten(1))


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 96).view(2, 3, 4, 4),), (torch.linspace(-1.0, 1.0, 96).view(2, 3, 4, 4),)]
