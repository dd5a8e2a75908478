"""A tensor taken out of a list that was appended to is the one that was put in, and a change of it is seen."""

from typing import List

import torch


def program(x: torch.Tensor, y: torch.Tensor):
    tensors: List[torch.Tensor] = []
    tensors.append(x)
    view = tensors[0]
    before = x + x
    view.add_(y)
    tensors[0] = y * 3
    after = (tensors[0] + 1) * 2
    return before, x + x, after.relu()


def inputs():
    return [(torch.ones(2), torch.arange(2.0)), (torch.zeros(1), -torch.ones(1))]
