"""`__constants__` makes attributes constants, containers of numbers too."""

from typing import List

import torch
from torch import nn


class Window(nn.Module):
    __constants__ = ["sizes", "name", "wide"]

    def __init__(self):
        super().__init__()
        self.sizes = (2, 3)
        self.name = "window"
        self.wide = True
        self.factor = 3

    def forward(self, x: torch.Tensor) -> List[torch.Tensor]:
        results: List[torch.Tensor] = []
        for size in self.sizes:
            results.append(x * size)
        if self.wide and self.name == "window":
            results.append(x.view(self.sizes))
        self.factor += 1
        results.append(x * self.factor)
        return results


def build():
    return Window()


def inputs():
    return [(torch.arange(6),), (torch.zeros(6),), (torch.zeros(5),)]
