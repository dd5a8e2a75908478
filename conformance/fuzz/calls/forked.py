"""Functions that drawn programs fork: they see nothing but what they are given."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor


def gated(x: Tensor, y: Tensor) -> Tensor:
    return torch.sigmoid(x * y) * x + 1


def scaled(x: Tensor, o: Optional[Tensor], s: float) -> Tensor:  # noqa: UP045
    y = torch.tanh(x * s)
    if o is not None:
        y = y + o
    return y * 2


def written(x: Tensor, y: Tensor) -> Tensor:
    z = x.tanh().exp()  # sin(exp(x)) has no digits left in float32 where x is a sum
    x.mul_(0.5)
    return z + y


FORKED = (gated, scaled, written)
