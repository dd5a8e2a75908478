"""A default must be of the parameter's type, and a parameter without annotation is a Tensor."""

import torch


def program(x: torch.Tensor, scale=0.5) -> torch.Tensor:  # error
    return x * scale
