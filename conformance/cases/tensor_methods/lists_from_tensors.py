"""tolist() gives what its annotation says: a number, a list or lists of lists; the dimensions must fit."""

from typing import List, Tuple

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> Tuple[List[int], List[List[float]], int]:
    flat: List[int] = x.tolist()
    rows: List[List[float]] = y.tolist()
    first: int = x[0].tolist()
    return flat, rows, first


def inputs():
    return [
        (torch.tensor([1, 2]), torch.tensor([[0.5], [1.5]])),
        (torch.tensor([3]), torch.zeros(0, 0)),
        (torch.tensor([1]), torch.tensor([0.5])),
        (torch.tensor([0.5]), torch.zeros(1, 1)),
    ]
