"""A tensor that requires a gradient cannot be a constant, so that no call can leave it out."""

import torch
from torch import Tensor


def scaled(x: Tensor, by: Tensor = torch.ones(1, requires_grad=True)) -> Tensor:
    return x * by


def program(x: Tensor) -> Tensor:
    return scaled(x)  # error
