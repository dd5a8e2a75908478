"""A constant index beyond a ModuleList's end is refused."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ReLU(), nn.Tanh()])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers[2](x)  # error


def build():
    return Net()
