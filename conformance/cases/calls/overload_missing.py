"""No overload takes a string where all want tensors or numbers."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    y = torch.max(x)
    return torch.max(x, "dim") + y  # error
