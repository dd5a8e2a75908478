"""A ModuleDict has no such key."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"a": nn.ReLU()})

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.parts["a"](x)
        return self.parts["b"](x)  # error


def build():
    return Net()
