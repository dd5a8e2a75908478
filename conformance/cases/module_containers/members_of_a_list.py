"""Only modules have members to walk: a list of numbers has no children."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes = [1, 2]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for child in self.sizes.children():  # error
            x = x + 1
        return x


def build():
    return Net()
