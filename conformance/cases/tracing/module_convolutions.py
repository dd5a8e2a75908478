"""A small net of convolutions."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Linear(8, 3)
        self.eval()

    def forward(self, x):
        x = self.features(x)
        return self.head(x.flatten(1))


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 16).view(1, 1, 4, 4),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 16).view(1, 1, 4, 4),), (torch.linspace(-1.0, 1.0, 48).view(3, 1, 4, 4),)]
