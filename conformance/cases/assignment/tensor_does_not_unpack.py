"""A tensor's length is not known to the compiler, so it cannot be unpacked: unbind it."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    a, b = x  # error
    return a + b
