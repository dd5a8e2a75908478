"""A slice of a Sequential is a tuple of plain values, which cannot be called."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.ReLU())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        for layer in self.stem[1:]:
            x = layer(x)  # error
        return x


def build():
    return Net()
