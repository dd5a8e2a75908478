"""An attribute that is no value of the language may exist, but not be used."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.names = {"a", "b"}

    def forward(self, x: torch.Tensor, name: str) -> torch.Tensor:
        if name in self.names:  # error
            x = x + 1
        return x


def build():
    return Net()
