"""A function without a return yields None, also when called for its effect."""

from typing import List

import torch


def grow(values: List[torch.Tensor], x: torch.Tensor):
    values.append(x)
    if len(values) > 2:
        return
    values.append(x + 1)


def program(x: torch.Tensor) -> List[torch.Tensor]:
    values: List[torch.Tensor] = []
    grow(values, x)
    grow(values, x * 2)
    grow(values, x * 3)
    return values


def inputs():
    return [(torch.ones(1),), (torch.arange(2),)]
