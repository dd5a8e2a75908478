"""Operands broadcast and promote: int with float, bool with int, zero-dimensional with the rest."""

from typing import List

import torch


def program(a: torch.Tensor, b: torch.Tensor, n: int, x: float) -> List[torch.Tensor]:
    return [a + b, a - n, x * a, n / a, a // 2, a % n, a**2, 2**b, a & 1 if a.dtype == torch.int64 else a, -a * b]


def inputs():
    return [
        (torch.tensor([[1], [2]]), torch.tensor([0.5, 1.5]), 3, 0.25),
        (torch.tensor(4), torch.tensor([True, False]), 2, 1.0),
        (torch.tensor([1.5, -2.5]), torch.tensor([[1, 2], [3, 0]]), -2, 2.0),
        (torch.ones(2), torch.ones(3), 1, 1.0),
    ]
