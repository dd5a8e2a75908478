"""A ParameterDict's key is constant."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = nn.ParameterDict({"a": nn.Parameter(torch.ones(2))})

    def forward(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return x * self.scales[name]  # error


def build():
    return Net()
