"""Sizes that nn.functional.interpolate computes from scale factors stay values."""

import torch
from torch.nn import functional as F


def program(x):
    halved = F.interpolate(x, scale_factor=0.5, mode="area")
    grown = F.interpolate(x, scale_factor=(1.5, 2.0), mode="bilinear", recompute_scale_factor=True)
    return halved, grown, torch.floor(x)


def example():
    return (torch.linspace(-1.0, 1.0, 16).view(1, 1, 4, 4),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 16).view(1, 1, 4, 4),), (torch.linspace(-1.0, 1.0, 24).view(1, 1, 4, 6),)]
