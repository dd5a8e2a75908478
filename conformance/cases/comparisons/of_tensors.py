"""Tensors compare element by element and broadcast; the result is a bool tensor, also with a number."""

from typing import List

import torch


def program(a: torch.Tensor, b: torch.Tensor, n: int) -> List[torch.Tensor]:
    return [a == b, a != n, a < b, n <= a, a > 0.5, a >= b]


def inputs():
    nan = float("nan")
    return [
        (torch.tensor([1.0, nan]), torch.tensor([[1.0], [2.0]]), 1),
        (torch.tensor([0, 2]), torch.tensor(2), 0),
    ]
