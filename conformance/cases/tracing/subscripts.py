"""Each part of a subscript is a node; slices of everything are recorded too."""

import torch


def program(x):
    return x[0], x[:, 1], x[..., -1], x[None, :, 1:], x[:, ::2], x[...]


def example():
    return (torch.linspace(-1.0, 1.0, 12).view(3, 4),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 12).view(3, 4),), (torch.linspace(-1.0, 1.0, 30).view(5, 6),)]
