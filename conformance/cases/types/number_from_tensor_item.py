"""item() is a Scalar: its type shows at run time only, and int or float must be asked for."""

from typing import List

import torch


def program(x: torch.Tensor) -> List[float]:
    first = x[0].item()
    total = float(first) + float(x.sum().item())
    doubled = x * first
    return [total, float(doubled.sum()), float(int(first))]


def inputs():
    return [(torch.tensor([1, 2]),), (torch.tensor([-0.5, 2.5]),)]
