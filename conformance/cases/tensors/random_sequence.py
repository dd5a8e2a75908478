"""Random operators draw from torch's generator in the program's order, and are never merged or moved."""

from typing import Tuple

import torch
import torch.nn.functional as F


def program(n: int, train: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    a = torch.rand(n)
    b = torch.rand(n)
    torch.rand(1)
    c = F.dropout(torch.ones(n), 0.5, train)
    d = torch.randint(0, 10, [n]) if n > 2 else torch.randperm(3)
    return a - b, c, d


def inputs():
    return [(3, True), (2, False), (1, True)]
