"""A tensor's data is not replaced by assignment: copy_ writes into it."""

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x.data = y  # error
    return x
