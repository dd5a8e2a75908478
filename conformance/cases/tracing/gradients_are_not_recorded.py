"""What runs under no_grad is recorded like all else."""

import torch


def program(x):
    with torch.no_grad():
        y = x * 2
    return y + x.detach()


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
