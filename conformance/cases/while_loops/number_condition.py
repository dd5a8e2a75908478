"""The condition is anything that an if takes: a number is true until it is zero."""

from typing import Tuple

import torch


def program(n: int, x: torch.Tensor) -> Tuple[int, torch.Tensor]:
    steps = 0
    while n:
        n = n // 2
        steps += 1
    while (x < 10).all():
        x = x * 2 + 1
    return steps, x


def inputs():
    return [(8, torch.tensor([1, 2])), (0, torch.tensor([10.0, 0.0])), (1, torch.tensor([3.5]))]
