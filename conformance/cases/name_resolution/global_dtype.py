"""A dtype under a name of one's own is no constant of the program: write torch.float64."""

import torch


KIND = torch.float64


def program(n: int) -> torch.Tensor:
    return torch.ones(n, dtype=KIND)  # error
