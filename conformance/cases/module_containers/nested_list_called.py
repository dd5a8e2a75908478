"""A list in a list is no layer: what it holds is called."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.ModuleList([nn.ReLU()])])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            for layer in block[0]:  # error
                x = layer(x)
        return x


def build():
    return Net()
