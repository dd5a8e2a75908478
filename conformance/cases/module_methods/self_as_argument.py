"""self is no value that could be handed to a function."""

import torch
from torch import nn


def helper(net: torch.Tensor, n: int) -> int:
    return n


class Net(nn.Module):
    def forward(self, n: int) -> int:
        return helper(self, n)  # error


def build():
    return Net()
