"""A write to an input is recorded, and is done to the argument of each call."""

import torch


def program(x):
    x.add_(1)
    return x * 2


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 4).view(4),)]
