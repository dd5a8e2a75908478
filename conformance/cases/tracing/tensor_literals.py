"""`torch.tensor` of numbers is a constant that is converted to its device."""

import torch


def program(x):
    return x + torch.tensor([1.0, 2.0, 3.0]), x * torch.tensor(2)


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 3).view(1, 3),)]
