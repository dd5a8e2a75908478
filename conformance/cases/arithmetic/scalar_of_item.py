"""A Scalar, such as a tensor's item, keeps the type it has at run time through + - * and /."""

from typing import List

import torch


def program(t: torch.Tensor, n: int) -> List[float]:
    s = t.item()
    return [float(s + n), float(s * 2), float(s - 0.5), float(s / 2), float(-s)]


def inputs():
    return [(torch.tensor(7), 2), (torch.tensor(1.5), -3), (torch.tensor([0]), 0)]
