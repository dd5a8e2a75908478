"""@unused raises when it is called; @ignore calls back into Python; neither is compiled."""

import torch
from torch import nn


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = 2

    @torch.jit.unused
    def eager_only(self, x: torch.Tensor) -> torch.Tensor:
        return x.apply_(lambda v: v + sum(w for w in [1, 2]))

    @torch.jit.ignore
    def python(self, x: torch.Tensor, n: int) -> torch.Tensor:
        return x + [k * n for k in range(3) if k > 1][0]

    def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
        if n > 5:
            return self.eager_only(x)
        return self.python(x, n) + self.offset


def build():
    return Mixed()


def inputs():
    return [(torch.ones(2), 1), (torch.zeros(1), 6), (torch.zeros(1), 5)]
