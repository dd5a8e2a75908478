"""Modules of torch.nn (pixel shuffle), in a Sequential that is traced itself."""

import torch
from torch import nn


def build():
    return nn.Sequential(nn.PixelShuffle(2), nn.ZeroPad2d(1)).eval()


def example():
    return (torch.linspace(-1.0, 1.0, 16).view(1, 4, 2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 16).view(1, 4, 2, 2),)]
