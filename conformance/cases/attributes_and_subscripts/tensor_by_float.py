"""A float selects nothing from a tensor."""

import torch


def program(x: torch.Tensor, f: float) -> torch.Tensor:
    y = x[0]
    return y[f]  # error
