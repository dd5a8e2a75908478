"""The sides of a conditional expression are not promoted: a tensor and an int have no common type."""

import torch


def program(x: torch.Tensor, n: int) -> torch.Tensor:
    y = x + 1
    return y if n > 0 else n  # error
