"""A size is no float."""

import torch


def program(half: float) -> torch.Tensor:
    return torch.zeros(half, 2)  # error
