"""Reads before a change in place see the old values, reads after it the new, also through views."""

from typing import List

import torch


def program(x: torch.Tensor) -> List[torch.Tensor]:
    first = x.sum()
    view = x[1:]
    x.mul_(2)
    second = view.sum()
    view.zero_()
    return [first, second, x.sum(), x]


def inputs():
    return [(torch.tensor([1.0, 2.0, 3.0]),), (torch.tensor([5]),)]
