"""A dtype is written as torch's, not as a string."""

import torch


def program(n: int) -> torch.Tensor:
    return torch.zeros(n, dtype="float32")  # error
