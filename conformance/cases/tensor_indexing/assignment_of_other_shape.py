"""What does not broadcast to the place assigned raises."""

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x[1:] = y
    return x


def inputs():
    return [(torch.zeros(3), torch.ones(1)), (torch.zeros(3), torch.ones(2)), (torch.zeros(3), torch.ones(3))]
