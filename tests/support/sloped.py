"""The row `sloped` of the table of scalar operations, in torch."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class Sloped(torch.autograd.Function):
    """Gives `y`, whose derivative by `x` is said to be `slope`."""

    @staticmethod
    def forward(ctx: Any, y: Tensor, x: Tensor, slope: Tensor) -> Tensor:
        ctx.save_for_backward(slope)
        return y.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        (slope,) = ctx.saved_tensors
        return gradient, gradient * slope, torch.zeros_like(slope)
