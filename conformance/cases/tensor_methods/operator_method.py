"""A tensor's operators are not called by their names in Python."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return x.__add__(1)  # error
