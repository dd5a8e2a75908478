"""A submodule has the methods of its class only."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner.backward_pass(x)  # error


def build():
    return Net()
