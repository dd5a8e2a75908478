"""tolist() needs an annotation of its result's type; item() none."""

from typing import List

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> List[float]:
    rows: List[List[int]] = x.tolist()
    values = torch.jit.annotate(List[float], y.tolist())
    one: float = y.sum().tolist()
    for row in rows:
        for item in row:
            values.append(item * one)
    return values


def inputs():
    return [
        (torch.tensor([[1, 2], [3, 4]]), torch.tensor([0.5, 1.5])),
        (torch.zeros(0, 2, dtype=torch.int64), torch.tensor([2.0])),
        (torch.tensor([1, 2]), torch.tensor([1.0])),
        (torch.tensor([[1.5]]), torch.tensor([1.0])),
    ]
