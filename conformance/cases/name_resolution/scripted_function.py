"""A function that is compiled already is called like one that is not."""

import torch


@torch.jit.script
def scaled(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    return x * factor


def program(x: torch.Tensor) -> torch.Tensor:
    return scaled(x) + scaled(x, factor=0.5)


def inputs():
    return [(torch.tensor([1.0, -3.0]),), (torch.zeros(0),)]
