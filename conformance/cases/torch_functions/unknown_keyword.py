"""No overload has such a parameter."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return torch.sum(x, dimension=0)  # error
