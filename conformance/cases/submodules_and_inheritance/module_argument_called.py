"""A module that is an argument cannot be called; its forward method can."""

import torch
from torch import Tensor, nn


class Scale(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2


class Module(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = Scale()

    def through(self, scale: Scale, x: Tensor) -> Tensor:
        return scale(x)  # error

    def forward(self, x: Tensor) -> Tensor:
        return self.through(self.scale, x)


def build():
    return Module()
