"""None is no tensor."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return torch.add(x, None)  # error
