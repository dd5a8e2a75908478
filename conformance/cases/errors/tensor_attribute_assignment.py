"""A tensor's attribute cannot be assigned."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    x.requires_grad = True  # error
    return x
