"""einsum is recorded whole."""

import torch


def program(x, y):
    return torch.einsum("ij,jk->ik", x, y), torch.einsum("ij->ji", x)


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3), torch.linspace(-1.0, 1.0, 12).view(3, 4))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3), torch.linspace(-1.0, 1.0, 12).view(3, 4))]
