"""Comparisons with numbers and tensors are recorded alike."""

import torch


def program(x, y):
    return x > 0, x == y, (x < y) & (y >= 0), ~(x != 0), x.eq(1)


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2), torch.linspace(-1.0, 1.0, 4).view(2, 2))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2), torch.linspace(-1.0, 1.0, 4).view(2, 2) * 2)]
