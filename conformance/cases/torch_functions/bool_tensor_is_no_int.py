"""A bool tensor is not taken for an int."""

import torch


def double(n: int) -> int:
    return 2 * n


def program(x: torch.Tensor) -> int:
    return double(x)


def inputs():
    return [(torch.tensor(2),), (torch.tensor(True),), (torch.tensor(2.0),)]
