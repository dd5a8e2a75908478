"""Each index of a tensor takes one dimension: an int removes it, a tensor selects, a bool tensor masks."""

from typing import List

import torch


def program(x: torch.Tensor, i: int, rows: torch.Tensor) -> List[torch.Tensor]:
    return [x[i], x[i, -1], x[rows], x[rows, i], x[x > 2], x[i][rows > 0]]


def inputs():
    x = torch.arange(6).view(2, 3)
    return [(x, 0, torch.tensor([1, 0, 1])), (x, 1, torch.tensor([0, 0, 1])), (x, 2, torch.tensor([0]))]
