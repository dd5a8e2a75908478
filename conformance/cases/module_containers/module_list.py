"""A ModuleList has a length and constant indices of either sign, and is walked in order."""

from typing import Tuple

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ReLU(), nn.Tanh(), nn.Sigmoid()])

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, int]:
        x = self.layers[0](x) + self.layers[-1](x)
        for layer in self.layers:
            x = layer(x)
        return x, len(self.layers)


def build():
    return Net()


def inputs():
    return [(torch.tensor([-1.0, 1.0]),), (torch.zeros(0),)]
