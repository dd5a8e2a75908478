"""Modules of torch.nn (group norm), in a Sequential that is traced itself."""

import torch
from torch import nn


def build():
    return nn.Sequential(nn.GroupNorm(2, 4), nn.InstanceNorm2d(4)).eval()


def example():
    return (torch.linspace(-1.0, 1.0, 32).view(2, 4, 2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 32).view(2, 4, 2, 2),)]
