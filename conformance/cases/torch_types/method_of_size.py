"""A shape has the methods of a list, not those of torch.Size."""

import torch


def program(x: torch.Tensor) -> int:
    n = x.numel()
    return n + x.shape.numel()  # error
