"""A method of the class Tensor is no function of the language."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    y = torch.neg(x)
    return torch.Tensor.neg(y)  # error
