"""A class of modules is a type where a module of it was compiled before: its forward is a method."""

from typing import List, Optional

import torch
from torch import Tensor, nn


class Scale(nn.Module):
    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor


def apply_to(scale: Optional[Scale], x: Tensor) -> Tensor:
    return x if scale is None else scale.forward(x)


class Module(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = Scale(2.0)
        self.second = Scale(3.0)

    def longer(self, scale: Scale, x: Tensor) -> Tensor:
        return scale.forward(x) + scale.factor

    def forward(self, x: Tensor) -> Tensor:
        scales: List[Scale] = [self.first, self.second]
        for scale in scales:
            x = scale.forward(x)
        last: Scale = scales[-1]
        return apply_to(last, x) + apply_to(None, x) + self.longer(self.first, x)


def build():
    return Module()


def inputs():
    return [(torch.ones(2),)]
