"""A Parameter is a Tensor, in annotations too."""

from typing import List

import torch
from torch import nn


def scaled(weight: nn.Parameter, by: float) -> torch.Tensor:
    return weight * by


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, 2.0]))

    def forward(self, x: torch.Tensor) -> List[torch.Tensor]:
        is_tensor = isinstance(self.weight, torch.Tensor)
        return [scaled(self.weight, 0.5), scaled(x, 2.0)] if is_tensor else []


def build():
    return Net()


def inputs():
    return [(torch.ones(1),)]
