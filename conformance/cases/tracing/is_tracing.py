"""torch.jit.is_tracing says whether a trace is recorded."""

import torch


def program(x):
    return x + 1 if torch.jit.is_tracing() else x - 1


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
