"""A lambda is traced as any function."""

import torch


program = lambda x: x.relu() * 2


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
