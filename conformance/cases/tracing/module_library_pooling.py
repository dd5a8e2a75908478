"""Modules of torch.nn (pooling), in a Sequential that is traced itself."""

import torch
from torch import nn


def build():
    return nn.Sequential(nn.AvgPool2d(2), nn.AdaptiveAvgPool2d(1), nn.Flatten()).eval()


def example():
    return (torch.linspace(-1.0, 1.0, 32).view(1, 2, 4, 4),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 32).view(1, 2, 4, 4),)]
