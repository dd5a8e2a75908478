"""A tensor's methods take what the torch function of their name takes, after the tensor."""

from typing import List

import torch


def program(x: torch.Tensor) -> List[torch.Tensor]:
    return [
        x.sum(0),
        torch.sum(x, dim=0),
        x.transpose(0, 1).reshape(-1),
        x.clamp(min=1, max=2),
        x.sum(dim=[0, 1], keepdim=True),
    ]


def inputs():
    return [(torch.tensor([[0, 1], [2, 3]]),), (torch.ones(1, 3),)]
