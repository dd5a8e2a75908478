"""What no result needs is left out of the graph."""

import torch


def program(x):
    unused = x * 3
    torch.zeros(3)
    return x + 1


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
