"""A tensor's slice is assigned in place, from a number or from what broadcasts."""

import torch


def program(x: torch.Tensor, row: torch.Tensor, i: int) -> torch.Tensor:
    x[i:] = row
    x[:, 0] = 7
    x[:1] += 1
    return x


def inputs():
    return [
        (torch.zeros(3, 2), torch.tensor([1.0, 2.0]), 1),
        (torch.zeros(2, 1, dtype=torch.int64), torch.tensor(5.5), 0),
    ]
