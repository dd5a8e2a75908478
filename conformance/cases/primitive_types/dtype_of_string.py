"""A string is no dtype."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    y = x.to(torch.float64)
    return y.to(dtype="float64")  # error
