"""A tensor has no such method in the language."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    y = x.relu()
    return y.relux()  # error
