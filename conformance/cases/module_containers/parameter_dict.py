"""A ParameterDict is indexed by constant keys."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = nn.ParameterDict({"a": nn.Parameter(torch.ones(2)), "b": nn.Parameter(torch.tensor([3.0]))})

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.scales["a"] + self.scales["b"]


def build():
    return Net()


def inputs():
    return [(torch.tensor([1.0, -1.0]),), (torch.tensor(2.0),)]
