"""The number of elements is recorded, and is a tensor without dimensions."""

import torch


def program(x):
    return x.sum() / x.numel(), x.view(x.numel())


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 20).view(4, 5),)]
