"""The training flag stays a bool."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.training = "no"  # error
        return x


def build():
    return Net()
