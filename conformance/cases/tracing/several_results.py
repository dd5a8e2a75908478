"""The results of an operator that has several are values each; lists are unpacked."""

import torch


def program(x):
    values, indices = x.max(1)
    first, second = x.chunk(2, 1)
    a, b, c = x.split([1, 2, 1], 1)
    return values, indices, first + second, a, b, c, torch.cat([a, c], 1)


def example():
    return (torch.linspace(-1.0, 1.0, 8).view(2, 4),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 8).view(2, 4),), (torch.linspace(-1.0, 1.0, 20).view(5, 4),)]
