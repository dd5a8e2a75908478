"""@ multiplies tensors as matrices, binds like *, and vectors by their inner product."""

from typing import List

import torch


def program(a: torch.Tensor, b: torch.Tensor) -> List[torch.Tensor]:
    return [a @ b, b @ a * 2, a + b @ b, (a @ b)[0] @ a[0]]


def inputs():
    return [
        (torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[0.0, 1.0], [1.0, 0.0]])),
        (torch.ones(2, 2), torch.zeros(2, 2)),
    ]
