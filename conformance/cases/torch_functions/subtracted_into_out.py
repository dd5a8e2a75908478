"""`torch.rsub` keeps its name where it has a result to fill."""

from typing import Tuple

import torch


def program(x: torch.Tensor, y: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    out = torch.zeros([2])
    torch.rsub(x, y, out=out)
    return out, torch.rsub(x, y, alpha=2)


def inputs():
    return [(torch.ones(2), torch.tensor([3.0, 4.0]))]
