"""An Optional attribute is read into a variable to be refined, and may be set to None and back."""

from typing import Optional

import torch
from torch import nn

from conformance.case import call


class Memory(nn.Module):
    last: Optional[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.last = None
        self.count = torch.jit.Attribute(None, Optional[int])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        last = self.last
        if last is not None:
            x = x + last
        self.last = x
        count = self.count
        self.count = 1 if count is None else count + 1
        return x

    @torch.jit.export
    def reset(self) -> Optional[int]:
        self.last = None
        count = self.count
        self.count = None
        return count


def build():
    return Memory()


def inputs():
    one = torch.ones(2)
    return [(one,), (one,), call(method="reset"), call(method="reset"), (one,)]
