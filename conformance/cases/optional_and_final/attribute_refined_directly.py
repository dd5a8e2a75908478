"""An attribute made by torch.jit.Attribute has the given type; reading it twice needs two tests."""

from typing import Optional

import torch
from torch import nn


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = torch.jit.Attribute(None, Optional[torch.Tensor])
        self.limit = torch.jit.Attribute(3, Optional[int])

    def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
        offset = self.offset
        if offset is not None:
            x = x + offset
        else:
            self.offset = x
        limit = self.limit
        assert limit is not None
        if n > limit:
            self.limit = None
        return x * limit


def build():
    return Shift()


def inputs():
    return [(torch.ones(2), 1), (torch.ones(2), 5), (torch.ones(2), 1)]
