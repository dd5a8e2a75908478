"""Operators that draw random numbers are recorded, and draw in each call."""

import torch


def program(x):
    return torch.rand(2), torch.randn_like(x), torch.nn.functional.dropout(x, 0.5)


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
