"""nn.functional.interpolate keeps sizes as values while it is traced."""

import torch
from torch.nn import functional as F


def program(x):
    return F.interpolate(x, scale_factor=2.0, mode="nearest"), F.interpolate(x, size=(3, 5))


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(1, 1, 2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(1, 1, 2, 3),), (torch.linspace(-1.0, 1.0, 8).view(1, 1, 4, 2),)]
