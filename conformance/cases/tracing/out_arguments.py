"""`out=` is recorded as the last argument of the operator."""

import torch


def program(x, y):
    z = torch.empty_like(x)
    torch.add(x, y, out=z)
    torch.mul(z, 2, out=z)
    return z


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3), torch.linspace(-1.0, 1.0, 6).view(2, 3))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3), torch.linspace(-1.0, 1.0, 6).view(2, 3))]
