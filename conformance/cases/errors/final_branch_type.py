"""The branch that a Final flag selects is checked; it uses an Optional mask unrefined."""

from typing import Final, Optional

import torch
from torch import nn


class Scorer(nn.Module):
    masked: Final[bool]

    def __init__(self):
        super().__init__()
        self.masked = True

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        if self.masked:
            x = x + mask  # error
        else:
            x = x + "never compiled"
        return x


def build():
    return Scorer()
