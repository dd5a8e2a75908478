"""An unused method promises its annotated result, which its caller must fit."""

import torch
from torch import nn


class Net(nn.Module):
    @torch.jit.unused
    def eager(self, n: int) -> str:
        return str(n)

    def forward(self, n: int) -> int:
        return n + self.eager(n)  # error


def build():
    return Net()
