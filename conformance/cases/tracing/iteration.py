"""A loop over a tensor is unrolled for the elements that it has."""

import torch


def program(x):
    total = torch.zeros(())
    for row in x:
        total = total + row.sum()
    return total


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(3, 2) + 2,)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(3, 2) + 2,), (torch.linspace(-1.0, 1.0, 15).view(3, 5) + 2,)]
