"""A list that an unrolled loop fills is written out."""

from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 2

    def forward(self, x):
        parts: List[torch.Tensor] = []
        for i in range(self.n):
            parts.append(x * (i + 2))
        return torch.stack(parts)


def build():
    return Net().eval()


def freezing():
    return {}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
