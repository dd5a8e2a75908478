"""Modules of torch.nn (unflatten), in a Sequential that is traced itself."""

import torch
from torch import nn


def build():
    return nn.Sequential(nn.Linear(4, 6), nn.Unflatten(1, (2, 3)), nn.Flatten(0, 1)).eval()


def example():
    return (torch.linspace(-1.0, 1.0, 8).view(2, 4),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 8).view(2, 4),)]
