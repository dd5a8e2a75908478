"""detach cuts the gradient, not the memory."""

from typing import Tuple

import torch


def program(x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, bool]:
    y = x * 1
    z = y.detach()
    z[0] = 42
    return y, z, z.requires_grad


def inputs():
    return [(torch.ones(2, requires_grad=True),), (torch.zeros(1, 2),)]
