"""With strict=False a dict may be returned."""

import torch


def program(x):
    return {"sum": x + 1, "product": x * 2}


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def options():
    return {"strict": False}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
