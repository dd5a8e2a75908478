"""A condition that is a tensor of several elements raises."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    while x < 10:
        x = x + 4
    return x


def inputs():
    return [(torch.tensor([1]),), (torch.tensor(11.0),), (torch.tensor([1, 2]),)]
