"""Views show what is written through them or their base; a clone does not."""

from typing import List

import torch


def program(x: torch.Tensor) -> List[torch.Tensor]:
    row, flipped, flat, copy = x[0], x.t(), x.view(-1), x.clone()
    x.add_(1)
    row.mul_(10)
    flat[-1] = 99
    flipped[0, 0] = -5
    return [x, row, flipped, flat, copy]


def inputs():
    return [(torch.zeros(2, 2),), (torch.arange(6).view(3, 2),)]
