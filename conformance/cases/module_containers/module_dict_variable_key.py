"""A ModuleDict's key is constant, as each member has a type of its own."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"relu": nn.ReLU(), "tanh": nn.Tanh()})

    def forward(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return self.parts[name](x)  # error


def build():
    return Net()
