"""A number on the left of a tensor: subtraction, division, powers and comparisons keep their order."""

from typing import List

import torch


def program(x: torch.Tensor, n: int, f: float) -> List[torch.Tensor]:
    return [n - x, f - x, n / x, f / x, n**x, f**x, f < x, n == x, n * x + f, n % x, 1.0 - (2 - x)]


def inputs():
    return [
        (torch.tensor([2, 3]), 7, 0.5),
        (torch.tensor([2.0, -4.0]), -3, 1.5),
        (torch.tensor(3), 2, -1.0),
    ]
