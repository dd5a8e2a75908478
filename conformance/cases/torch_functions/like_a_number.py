"""A number has no shape to be like."""

import torch


def program(f: float) -> torch.Tensor:
    return torch.zeros_like(f)  # error
