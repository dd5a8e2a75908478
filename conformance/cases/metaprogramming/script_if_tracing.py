"""A function marked script_if_tracing is compiled like any other when it is called."""

import torch


@torch.jit.script_if_tracing
def steps(x: torch.Tensor, n: int) -> torch.Tensor:
    for _ in range(n):
        x = x * 2
    return x


def program(x: torch.Tensor, n: int) -> torch.Tensor:
    return steps(x, n) + 1


def inputs():
    return [(torch.tensor([1.0, -1.0]), 3), (torch.zeros(0), 0)]
