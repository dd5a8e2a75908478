"""Attributes are updated like names: numbers are replaced, tensors and lists changed in place."""

from typing import List, Tuple

import torch
from torch import nn


class Meter(nn.Module):
    log: List[int]

    def __init__(self):
        super().__init__()
        self.count = 0
        self.log = []
        self.register_buffer("total", torch.zeros(2))

    def forward(self, x: torch.Tensor) -> Tuple[int, List[int], torch.Tensor]:
        total = self.total
        self.count += 1
        self.log += [self.count]
        self.total += x
        return self.count, self.log, total


def build():
    return Meter()


def inputs():
    return [(torch.ones(2),), (torch.tensor([0.5, -1.0]),), (torch.ones(3),)]
