"""A bool tensor selects where it is true: whole rows, or elements into one dimension."""

from typing import List

import torch


def program(x: torch.Tensor, rows: torch.Tensor) -> List[torch.Tensor]:
    return [x[x > 2], x[rows], x[rows, 0], x[rows][:, -1]]


def inputs():
    x = torch.arange(6).view(2, 3)
    yes = torch.tensor([True, False])
    return [(x, yes), (x, torch.tensor([False, False])), (x.float(), torch.tensor([1, 0]).byte()), (x, torch.ones(3) > 0)]
