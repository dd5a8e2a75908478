"""Parameters with defaults that are not given are constants."""

import torch


def program(x, scale=3, bias=None):
    x = x * scale
    return x if bias is None else x + bias


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
