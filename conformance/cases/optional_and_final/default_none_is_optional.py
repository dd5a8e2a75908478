"""`mask=None` without an annotation is a Tensor that must be there; with Optional it may be absent."""

from typing import Optional

import torch


def attend(x: torch.Tensor, mask: Optional[torch.Tensor] = None, scale: Optional[float] = None) -> torch.Tensor:
    if scale is None:
        scale = 2.0
    x = x / scale
    if mask is not None:
        x = x + mask
    return x


def program(x: torch.Tensor, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
    first = attend(x)
    second = attend(x, mask)
    return first + second + attend(x, scale=4.0, mask=mask)


def inputs():
    return [(torch.ones(2),), (torch.ones(2), torch.tensor([1.0, -1.0])), (torch.zeros(1, 2), torch.ones(2, 1))]
