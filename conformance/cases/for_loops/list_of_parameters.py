"""A ParameterList is unrolled like a ModuleList; its items are tensors."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = nn.ParameterList([nn.Parameter(torch.tensor([2.0])), nn.Parameter(torch.ones(3))])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for scale in self.scales:
            x = x * scale
        return x


def build():
    return Net()


def inputs():
    return [(torch.ones(1),), (torch.arange(3),), (torch.zeros(2),)]
