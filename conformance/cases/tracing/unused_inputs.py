"""An input that nothing uses stays a parameter."""

import torch


def program(x, unused):
    return x + 1


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2), torch.linspace(-1.0, 1.0, 3).view(3))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2), torch.linspace(-1.0, 1.0, 1).view(1))]
