"""Tensors in a subscript index the dimensions at which they stand."""

import torch


def program(x, i):
    return x[i], x[:, i], x[x > 0], x[i, 1:], x[0, i], x[[0, 1]]


def example():
    return (torch.linspace(-1.0, 1.0, 12).view(3, 4), torch.tensor([0, 2]))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 12).view(3, 4), torch.tensor([0, 2])), (torch.linspace(-1.0, 1.0, 12).view(3, 4), torch.tensor([1, 1, 0]))]
