"""Tensors of ints select by their elements; several broadcast together, and with slices and ints."""

from typing import List

import torch


def program(x: torch.Tensor, i: torch.Tensor, j: torch.Tensor) -> List[torch.Tensor]:
    return [x[i], x[i, j], x[:, j], x[i, 0], x[i[:, None], j], x[0, j]]


def inputs():
    x = torch.arange(6).view(2, 3)
    i, j = torch.tensor([0, 1, -1]), torch.tensor([2, 0, 1])
    none = torch.tensor([], dtype=torch.int64)
    return [(x, i, j), (x, none, none), (x, i, torch.tensor([0])), (x, i + 2, j)]
