"""A list of ints selects as a tensor of them does; its elements may be computed."""

from typing import List

import torch


def program(x: torch.Tensor, n: int, v: List[int]) -> List[torch.Tensor]:
    return [x[[0, n]], x[v], x[[1, 0], [n, n]], x[:, [n]]]


def inputs():
    x = torch.arange(6).view(2, 3)
    return [(x, 1, [0, 0, 1]), (x, 0, []), (x, -1, [-2]), (x, 2, [0])]
