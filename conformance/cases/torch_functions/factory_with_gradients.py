"""Factories have no requires_grad, save for torch.tensor: call requires_grad_() on what they make."""

import torch


def program(n: int) -> torch.Tensor:
    return torch.ones(n, requires_grad=True)  # error
