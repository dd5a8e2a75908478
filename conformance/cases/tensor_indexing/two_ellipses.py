"""One Ellipsis only tells which dimensions it stands for."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return x[..., 0, ...]  # error
