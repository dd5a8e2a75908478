"""Testing an attribute refines it not for the next read after a call."""

from typing import Optional

import torch
from torch import nn


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.held = torch.jit.Attribute(None, Optional[int])

    def forward(self, x: int) -> int:
        if self.held is not None:
            x = x + self.held  # error
        return x


def build():
    return Holder()
