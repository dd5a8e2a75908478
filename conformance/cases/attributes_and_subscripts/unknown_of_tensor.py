"""What Python sets on a tensor is no attribute of the language."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    return y.note  # error
