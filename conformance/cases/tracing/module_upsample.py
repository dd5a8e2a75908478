"""Upsampling by a factor."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Upsample(scale_factor=2.0, mode='bilinear')

    def forward(self, x):
        return self.up(x)


def build():
    return Net()


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(1, 1, 2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(1, 1, 2, 2),), (torch.linspace(-1.0, 1.0, 6).view(1, 1, 3, 2),)]
