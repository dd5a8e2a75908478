"""A number that Python reads from a tensor is a constant."""

import torch


def program(x):
    n = int(x.sum() * 0 + 2)
    return x * n + float(x.size(0))


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),), (torch.linspace(-1.0, 1.0, 3).view(3),)]
