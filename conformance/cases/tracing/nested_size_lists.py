"""A list of sizes and numbers is a list of both in the graph."""

import torch


def program(x):
    n, c, h, w = x.size()
    x = x.view(n, 2, c // 2, h, w).transpose(1, 2).contiguous()
    return x.view(n, -1, h, w), x.expand(n, c // 2, 2, h, w), x.repeat(1, 1, 1, 1, w)


def example():
    return (torch.linspace(-1.0, 1.0, 24).view(1, 4, 2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 24).view(1, 4, 2, 3),), (torch.linspace(-1.0, 1.0, 12).view(2, 2, 3, 1),)]
