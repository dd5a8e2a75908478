"""A function marked with script_if_tracing is compiled, and its branches are kept."""

import torch


@torch.jit.script_if_tracing
def choose(x):
    if bool(x.sum() > 0):
        return x * 2
    return x - 1


def program(x):
    return choose(x) + 1


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2) + 1,)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2) + 3,), (torch.linspace(-1.0, 1.0, 2).view(2) - 3,)]
