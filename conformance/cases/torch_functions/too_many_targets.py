"""A function's results unpack into as many names as there are results."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    values, indices, rest = torch.max(x, 0)  # error
    return values
