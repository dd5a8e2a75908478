"""view, reshape, permute and expand take ints one by one or a list; -1 is computed."""

from typing import List

import torch


def program(x: torch.Tensor) -> List[torch.Tensor]:
    n = x.size(0)
    return [x.view(-1), x.view([n, -1]), x.reshape(3, -1), x.permute(1, 0), x.permute([-1, 0]), x[:1].expand(4, -1)]


def inputs():
    return [(torch.arange(6).view(2, 3),), (torch.arange(6).view(3, 2),), (torch.arange(4).view(2, 2),)]
