"""A slice of a tensor is a view; it takes part in a subscript with other indices, and clips."""

from typing import List

import torch


def program(x: torch.Tensor, i: int, j: int) -> List[torch.Tensor]:
    part = x[i:j]
    part += 10
    return [part, x[:, i:], x[::2, :-1], x[-1:, 0], x[100:], x]


def inputs():
    return [(torch.arange(6).view(3, 2), 0, 1), (torch.zeros(2, 2), 1, 5), (torch.ones(1, 2), 1, 0)]
