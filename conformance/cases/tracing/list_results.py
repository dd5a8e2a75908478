"""With strict=False a list may be returned without a warning."""

import torch


def program(x):
    return [x + 1, x * 2]


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def options():
    return {"strict": False}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
