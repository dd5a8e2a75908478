"""A module that is no container cannot be walked."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for part in self.layer:  # error
            x = part(x)
        return x


def build():
    return Net()
