"""Losses by name of reduction; a wrong name raises at run time from within the callee."""

from typing import List

import torch
import torch.nn.functional as F


def program(x: torch.Tensor, y: torch.Tensor, reduction: str) -> List[torch.Tensor]:
    return [
        F.mse_loss(x, y, reduction=reduction),
        F.l1_loss(x, y, reduction=reduction),
        F.smooth_l1_loss(x, y, beta=0.5, reduction=reduction),
        F.huber_loss(x, y, delta=0.5, reduction=reduction),
        F.binary_cross_entropy_with_logits(x, y.clamp(0, 1), reduction=reduction),
        F.kl_div(x, y.clamp(min=0.1), reduction=reduction),
        F.poisson_nll_loss(x, y.abs(), reduction=reduction),
    ]


def inputs():
    x, y = torch.tensor([0.5, -1.0]), torch.tensor([1.0, 2.0])
    return [(x, y, "mean"), (x, y, "sum"), (x, y, "none"), (x, y, "median")]
