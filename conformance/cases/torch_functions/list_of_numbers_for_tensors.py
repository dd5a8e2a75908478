"""A list of numbers is no list of tensors."""

import torch


def program(n: int) -> torch.Tensor:
    return torch.cat([n, n])  # error
