"""Operators in place are recorded as such, and later reads see what they wrote."""

import torch


def program(x, y):
    z = x + y
    z.mul_(2).add_(y)
    z += 1
    view = z[0]
    view.zero_()
    return z, view


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3), torch.linspace(-1.0, 1.0, 6).view(2, 3))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3), torch.linspace(-1.0, 1.0, 6).view(2, 3))]
