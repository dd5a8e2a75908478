"""A with statement over something that is no context manager."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    with x:  # error
        y = x * 2
    return y
