"""A tensor built from constants is built anew at each call: changing it in place does not stick."""

import torch


def program(x: torch.Tensor, n: int) -> torch.Tensor:
    table = torch.tensor([1.0, 2.0, 3.0])
    table += n
    offsets = torch.zeros(3)
    offsets[n] = 10
    for _ in range(2):
        step = torch.ones(3)
        step *= 2
        offsets += step
    return x * table + offsets


def inputs():
    return [(torch.ones(3), 1), (torch.ones(3), 1), (torch.tensor(2), 0), (torch.ones(3), 3)]
