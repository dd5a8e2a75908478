"""A number on the left of an operator is recorded as Python calls it."""

import torch


def program(x):
    return 1 - x, 2 / x, 2.0 ** x, 3 * x, -x, abs(x), x @ x.t(), 7 % (x + 3)


def example():
    return (torch.linspace(-1.0, 1.0, 4).view(2, 2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 4).view(2, 2),)]
