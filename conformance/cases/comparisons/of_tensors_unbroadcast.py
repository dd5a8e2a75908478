"""Tensors whose shapes do not broadcast cannot be compared: the call raises."""

import torch


def program(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    c = a + 1
    return c < b


def inputs():
    return [(torch.ones(2), torch.ones(3))]
