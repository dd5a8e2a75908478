"""A chain of tensors asks each comparison for one truth value."""

import torch


def program(low: torch.Tensor, x: torch.Tensor, high: torch.Tensor) -> torch.Tensor:
    if low < x < high:
        return x
    return high


def inputs():
    one, two, three = torch.tensor(1), torch.tensor([2]), torch.tensor(3.0)
    return [(one, two, three), (three, two, one), (one, torch.tensor([2, 2]), three)]
