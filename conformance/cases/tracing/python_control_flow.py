"""Loops and tests of Python are run while recording, and leave no trace."""

import torch


def program(x):
    for i in range(3):
        if i % 2 == 0:
            x = x * (i + 1)
    while x.dim() < 3:
        x = x.unsqueeze(0)
    return x


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),), (torch.linspace(-1.0, 1.0, 3).view(3),)]
