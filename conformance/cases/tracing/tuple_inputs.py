"""A tuple that is an input is unpacked at the beginning."""

import torch


def program(pair, z):
    x, (y, w) = pair
    return x + y * w - z


def example():
    return ((torch.linspace(-1.0, 1.0, 2).view(2), (torch.linspace(-1.0, 1.0, 2).view(2), torch.linspace(-1.0, 1.0, 2).view(2))), torch.linspace(-1.0, 1.0, 2).view(2))


def inputs():
    return [((torch.linspace(-1.0, 1.0, 2).view(2), (torch.linspace(-1.0, 1.0, 2).view(2), torch.linspace(-1.0, 1.0, 2).view(2))), torch.linspace(-1.0, 1.0, 2).view(2))]
