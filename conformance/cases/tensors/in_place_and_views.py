"""In-place methods change their views' base; out-of-place ones leave it; `out=` fills its target."""

from typing import Tuple

import torch


def program(x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    flat = x.view(-1)
    flat.add_(1).mul_(2)
    turned = x.t()
    turned[0].zero_()
    copy = x.clone()
    copy.sub_(x)
    target = torch.empty_like(x)
    torch.add(x, flat[1], out=target)
    x.fill_(3) if bool(copy.sum() == 1) else x.neg_()
    return flat, copy, target, flat - x.reshape(-1)


def inputs():
    return [(torch.arange(4.0).view(2, 2),), (torch.ones(3, 2),)]
