"""softmax and its relatives with dim and dtype; the implicit dimension is chosen with a warning."""

from typing import List

import torch
import torch.nn.functional as F


def program(x: torch.Tensor, dim: int) -> List[torch.Tensor]:
    return [
        F.softmax(x, dim),
        F.softmax(x, dim=-1, dtype=torch.float64),
        F.log_softmax(x, dim=dim),
        F.softmin(x, dim=0),
        F.normalize(x, p=1.0, dim=dim),
        F.normalize(x, dim=0, eps=1.0),
    ]


def inputs():
    return [(torch.arange(6.0).view(2, 3), 1), (torch.zeros(1, 2), 0), (torch.ones(2, 2), 5)]
