"""A parameter given by position and by name."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return torch.sum(x, 0, dim=1)  # error
