"""A tensor from outside is a constant of the graph."""

import torch


SCALE = torch.tensor([1.0, 2.0, 3.0])
TABLE = torch.linspace(0.0, 1.0, 12).view(3, 4)


def program(x):
    return x * SCALE + SCALE, x @ TABLE


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
