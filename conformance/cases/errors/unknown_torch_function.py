"""torch has no such function."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x) + torch.no_such_function(x)  # error
