"""A module does not pass for a Tensor: a parameter for it is annotated with its class."""

import torch
from torch import nn


def run(layer: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return layer + x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return run(self.layer, x)  # error


def build():
    return Net()
