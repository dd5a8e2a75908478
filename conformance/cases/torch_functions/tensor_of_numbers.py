"""torch.tensor makes a tensor of a number or of nested lists; the dtype is that of the elements or the one asked for."""

from typing import List

import torch


def program(n: int, f: float, b: bool, v: List[float]) -> List[torch.Tensor]:
    return [
        torch.tensor(n),
        torch.tensor([f, 1.0]),
        torch.tensor([[b], [True]]),
        torch.tensor(v),
        torch.tensor([[n, 2], [3, n]], dtype=torch.float64),
        torch.tensor(f, requires_grad=True),
    ]


def inputs():
    return [(1, 0.5, False, [1.0, 2.0]), (-1, float("nan"), True, [])]
