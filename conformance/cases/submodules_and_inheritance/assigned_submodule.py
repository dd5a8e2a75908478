"""A submodule is not replaced by one of another type."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.ReLU()
        self.second = nn.Tanh()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.first = self.second  # error
        return self.first(x)


def build():
    return Net()
