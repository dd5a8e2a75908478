"""Each turn of an unrolled loop is checked: here the second layer takes two tensors."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ReLU(), nn.Bilinear(2, 2, 1)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)  # error
        return x


def build():
    return Net()
