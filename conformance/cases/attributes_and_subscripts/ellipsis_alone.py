"""... stands for dimensions beside another index only."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    y = x[0, ...]
    return y[...]  # error
