"""What is no type may annotate attributes in __init__, and those that compiled code does not have: functions, absent ones."""

from typing import Callable, Optional

import torch
from torch import Tensor, nn


def halved(x: Tensor) -> Tensor:
    return x / 2


class Net(nn.Module):
    activation: Callable[[Tensor], Tensor]
    other: nn.Linear
    bias: nn.Parameter
    __jit_ignored_attributes__ = ["name"]
    name: type

    def __init__(self):
        super().__init__()
        self.layer: nn.Module = nn.Identity()
        self.listed: Optional[nn.ModuleList] = None
        self.bias = nn.Parameter(torch.ones(1))
        self.activation = halved
        self.name = int

    def forward(self, x: Tensor) -> Tensor:
        x = self.layer(x) + self.bias
        return self.activation(x) if self.listed is None else x


def build():
    return Net()


def inputs():
    return [(torch.ones(2),)]
