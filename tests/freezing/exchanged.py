"""A program for tests: a module that exchanges a submodule while it runs."""

from __future__ import annotations

import torch
from torch import nn


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:  # type: ignore[empty-body]
        pass


class Double(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class Exchanging(nn.Module):
    layer: Layer

    def __init__(self) -> None:
        super().__init__()
        self.layer = Double()  # type: ignore[assignment]
        self.other = Double()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.layer = self.other  # type: ignore[assignment]
        return self.layer.forward(x)
