"""A number is no Tensor; torch.tensor makes one of it."""

import torch


def program(n: int) -> torch.Tensor:
    if n > 0:
        return torch.tensor(n)
    return n  # error
