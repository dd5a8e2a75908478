"""Modules in a Python list are no submodules, and cannot be used."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.ReLU(), nn.Tanh()]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:  # error
            x = layer(x)
        return x


def build():
    return Net()
