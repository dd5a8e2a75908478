"""Sizes in a subscript stay values of the trace."""

import torch


def program(x, y):
    return x[: y.size(0)], x[y.size(0) - 1], x[:, : y.shape[1]]


def example():
    return (torch.linspace(-1.0, 1.0, 16).view(4, 4), torch.linspace(-1.0, 1.0, 6).view(2, 3))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 16).view(4, 4), torch.linspace(-1.0, 1.0, 6).view(2, 3)), (torch.linspace(-1.0, 1.0, 16).view(4, 4), torch.linspace(-1.0, 1.0, 3).view(3, 1))]
