"""Tuples that are returned may be nested; lists in strict mode are lists of tensors."""

import torch


def program(x):
    return x, (x + 1, [x * 2, x * 3])


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),), (torch.linspace(-1.0, 1.0, 3).view(3, 1),)]
