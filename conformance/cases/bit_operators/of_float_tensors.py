"""A float tensor has no bits: & of it raises when it is called."""

import torch


def program(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    c = a * 2
    return c & b


def inputs():
    return [(torch.tensor([1.0]), torch.tensor([1.0])), (torch.tensor([0.5]), torch.tensor([1]))]
