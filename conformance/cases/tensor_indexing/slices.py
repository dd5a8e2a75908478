"""Slices clip to the dimension and take steps above zero; each keeps its dimension."""

from typing import List

import torch


def program(x: torch.Tensor, i: int, step: int) -> List[torch.Tensor]:
    return [x[i:], x[:i], x[::step], x[:, i : i + 1], x[-i:, ::2], x[100:]]


def inputs():
    x = torch.arange(12).view(3, 4)
    return [(x, 1, 2), (x, 0, 1), (x, -2, 5), (x, 1, -1), (x, 1, 0)]
