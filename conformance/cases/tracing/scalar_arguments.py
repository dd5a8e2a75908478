"""Numbers that an operator takes are constants of their own types."""

import torch


def program(x):
    return x.clamp(-0.5, 0.5), x.add(x, alpha=2), x.sum(0, keepdim=True), torch.addmm(x, x, x, beta=0.5)


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
