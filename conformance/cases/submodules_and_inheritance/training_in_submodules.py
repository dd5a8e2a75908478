"""train and eval set the flag of all submodules; each reads its own."""

from typing import Tuple

import torch
from torch import nn


class Noise(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training:
            return x + 1
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.noise = Noise()
        self.frozen = Noise().eval()

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, bool]:
        return self.noise(x), self.frozen(x), self.training


def build():
    return Net()


def inputs():
    return [(torch.zeros(2),), (torch.zeros(0),)]
