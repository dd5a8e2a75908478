"""Containers in containers are walked by nested loops, unrolled both."""

from typing import Tuple

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(
            [nn.ModuleList([nn.ReLU()]), nn.ModuleList([]), nn.ModuleList([nn.Tanh(), nn.Flatten(0)])]
        )

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, int]:
        count = 0
        for block in self.blocks:
            for layer in block:
                x = layer(x)
                count += 1
        return x, count + len(self.blocks[1])


def build():
    return Net()


def inputs():
    return [(torch.tensor([[-1.0], [1.0]]),), (torch.zeros(0),)]
