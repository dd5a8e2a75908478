"""Modules of torch.nn (three dimensions), in a Sequential that is traced itself."""

import torch
from torch import nn


def build():
    return nn.Sequential(nn.Conv3d(1, 2, 2), nn.AvgPool3d(2)).eval()


def example():
    return (torch.linspace(-1.0, 1.0, 64).view(1, 1, 4, 4, 4),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 64).view(1, 1, 4, 4, 4),)]
