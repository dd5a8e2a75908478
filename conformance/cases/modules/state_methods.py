"""`__setstate__` takes what `__getstate__` returns, without an annotation that says so."""

from typing import Tuple

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(2))
        self.count = 3

    @torch.jit.export
    def __getstate__(self) -> Tuple[torch.Tensor, int, bool]:
        return self.scale, self.count, self.training

    @torch.jit.export
    def __setstate__(self, state):
        self.scale = state[0] + 1
        self.count = state[1]
        self.training = state[2]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.scale + self.count


def build():
    return Model()


def inputs():
    return [(torch.ones(2),)]
