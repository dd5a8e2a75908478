"""Modules are made in Python; compiled code makes none."""

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, by: int):
        super().__init__()
        self.by = by

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.by


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale(2)

    def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
        x = self.scale(x)
        return Scale(n)(x)  # error


def build():
    return Net()
