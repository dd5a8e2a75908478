"""Final ints and floats are constants: tests on them stay in the graph, arithmetic on them folds."""

from typing import Final

import torch
from torch import nn


class Layer(nn.Module):
    heads: Final[int]
    scale: Final[float]
    kind: Final[str]

    def __init__(self, heads: int, kind: str):
        super().__init__()
        self.heads = heads
        self.scale = heads**-0.5
        self.kind = kind

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.heads > 2 and self.kind == "wide":
            x = x - 1 if self.heads > 100 else x * self.heads
        half = self.heads // 2
        for i in range(half):
            x = x + i * self.scale
        return x if self.kind != "neg" else -x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = Layer(4, "wide")
        self.neg = Layer(1, "neg")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.neg(self.wide(x))


def build():
    return Net()


def inputs():
    return [(torch.ones(2),), (torch.tensor([0.5]),)]
