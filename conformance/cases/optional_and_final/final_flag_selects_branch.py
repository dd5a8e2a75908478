"""A Final bool attribute decides an `if` while compiling: the other branch need not fit."""

from typing import Final, Optional

import torch
from torch import nn


class Scorer(nn.Module):
    masked: Final[bool]
    scale: Final[float]

    def __init__(self, masked: bool):
        super().__init__()
        self.masked = masked
        self.scale = 4.0

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor]) -> torch.Tensor:
        x = x / self.scale
        if self.masked:
            assert mask is not None
            x = x + mask
        else:
            x = x.sub(1)
        return torch.relu(x)


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.plain = Scorer(False)
        self.masked = Scorer(True)

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        return self.plain(x, mask) - self.masked(x, mask)


def build():
    return Pair()


def inputs():
    return [(torch.arange(4.0),), (torch.arange(4.0), torch.ones(4)), (torch.zeros(2), torch.ones(2, 1))]
