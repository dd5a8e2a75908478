"""There may be no more indices than dimensions."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return x[0, 0]


def inputs():
    return [(torch.ones(1, 1),), (torch.ones(1),), (torch.tensor(1),)]
