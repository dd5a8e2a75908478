"""Integers, slices, Ellipsis, None, masks and index tensors, together in one subscript."""

from typing import List

import torch


def program(x: torch.Tensor, i: int, idx: torch.Tensor) -> List[torch.Tensor]:
    return [
        x[i],
        x[i, 1:],
        x[..., 0],
        x[:, None, 1],
        x[1:, ::2],
        x[idx],
        x[:, idx, None],
        x[i][..., -1],
        x[x > 2],
        x[None],
        x[-1:, ..., 1:2],
        x[idx, idx],
        x[:i],
    ]


def inputs():
    return [
        (torch.arange(9).view(3, 3), 1, torch.tensor([0, 2])),
        (torch.arange(12.0).view(3, 4), -1, torch.tensor([1])),
        (torch.arange(4).view(2, 2), 5, torch.tensor([0])),
    ]
