"""A submodule's arguments are checked where it is called."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.ReLU()

    def forward(self, n: int) -> torch.Tensor:
        return self.inner([n])  # error


def build():
    return Net()
