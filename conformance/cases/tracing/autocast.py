"""Conversions that autocast adds are recorded, each before the operator that it is for."""

import torch
from torch.nn import functional as F


def program(x, y):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        z = x @ y
        z = F.linear(z, y) + x
        with torch.autocast("cpu", enabled=False):
            w = torch.mm(x, y)
        joined = torch.cat([z, x @ y])
    return joined, F.mse_loss(w, z), torch.mm(x, y)


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2), torch.linspace(0.0, 1.0, 4).view(2, 2))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2), torch.linspace(0.0, 1.0, 4).view(2, 2)), (torch.linspace(-2.0, 1.0, 9).view(3, 3), torch.linspace(0.0, 2.0, 9).view(3, 3))]
