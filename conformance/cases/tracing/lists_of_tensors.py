"""Lists of tensors are made where an operator takes them."""

import torch


def program(x, y):
    pieces = [x, y, x + y]
    return torch.stack(pieces), torch.cat(pieces, dim=-1)


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3), torch.linspace(-1.0, 1.0, 6).view(2, 3))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3), torch.linspace(-1.0, 1.0, 6).view(2, 3))]
