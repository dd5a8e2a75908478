"""A tensor's part cannot be deleted."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    del x[0]  # error
    return x
