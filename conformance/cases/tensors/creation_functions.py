"""dtype, device and the rest by keyword; the dtype of torch.tensor follows from its elements."""

from typing import List

import torch


def program(n: int, x: float) -> List[torch.Tensor]:
    return [
        torch.zeros(n, 2, dtype=torch.int32),
        torch.ones([n], device="cpu"),
        torch.full((2,), x, dtype=torch.float64),
        torch.arange(n),
        torch.arange(0, n, 2, dtype=torch.float32),
        torch.arange(x),
        torch.linspace(0, 1, steps=n + 1),
        torch.eye(n),
        torch.tensor(n),
        torch.tensor([x, 2.0]),
        torch.tensor([[n, 1], [2, 3]]),
        torch.tensor([True, False]),
        torch.tensor([n, n], dtype=torch.float16),
        torch.empty(0),
        torch.zeros_like(torch.ones(n), dtype=torch.bool),
    ]


def inputs():
    return [(2, 2.5), (1, 3.0), (0, 1.0)]
