"""`detach` is recorded, in place too."""

import torch


def program(x):
    y = x * 2
    z = y.detach()
    return z + 1, y.detach_()


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
