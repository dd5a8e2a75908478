"""Factories take dtype and device by name; a device may be a string."""

from typing import List

import torch


def program(n: int) -> List[torch.Tensor]:
    return [
        torch.zeros(n, dtype=torch.int64),
        torch.ones([n, 1], device="cpu"),
        torch.full((n,), 7, dtype=torch.float64, device=torch.device("cpu")),
        torch.arange(n, dtype=torch.uint8),
        torch.eye(n, dtype=torch.bool),
    ]


def inputs():
    return [(2,), (0,), (-1,)]
