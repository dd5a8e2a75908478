"""A number does not pass for a tensor that a function computes on."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return torch.maximum(x, 0)  # error
