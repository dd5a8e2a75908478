"""A method is called, not stored."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    add = x.add
    values = [add]  # error
    return x
