"""Each operator on tensors is a node; numbers become constants that are tensors."""

import torch


def program(x, y):
    return x * 2 + y / 3.5 - torch.relu(x) ** 2


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3), torch.linspace(-1.0, 1.0, 6).view(2, 3))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3), torch.linspace(-1.0, 1.0, 6).view(2, 3)), (torch.linspace(-1.0, 1.0, 4).view(4, 1), torch.linspace(-1.0, 1.0, 5).view(1, 5))]
