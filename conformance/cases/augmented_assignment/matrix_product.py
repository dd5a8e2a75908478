"""@= is not in the language though @ is."""

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x @= y  # error
    return x
