"""What torch's signature has after its star is given by name only."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return torch.sum(x, [0], True, torch.float64)  # error
