"""torch.Size names no type: a shape is annotated List[int]."""

import torch


def program(x: torch.Tensor, shape: torch.Size) -> torch.Tensor:  # error
    return x.view(shape)
