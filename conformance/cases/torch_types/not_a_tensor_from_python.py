"""A call from Python with a number or a list where a Tensor is wanted raises."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def inputs():
    return [(1,), ([torch.ones(1)],)]
