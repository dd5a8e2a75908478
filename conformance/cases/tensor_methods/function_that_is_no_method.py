"""What takes a list of tensors is no method of one."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return x.stack([x])  # error
