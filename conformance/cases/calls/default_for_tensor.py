"""A parameter without an annotation is a tensor, also if it has a default: a number is refused there."""

import torch


def shift(x, by=1):  # error
    return x + by


def program(x: torch.Tensor) -> torch.Tensor:
    y = shift(x, x)
    return shift(y)
