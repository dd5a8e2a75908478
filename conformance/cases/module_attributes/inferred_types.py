"""An attribute has the type of the value that it has when the module is compiled."""

from typing import Tuple

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 2
        self.scale = 0.5
        self.name = "net"
        self.sizes = [1, 2]
        self.table = {"a": 1.5}
        self.pair = (3, "x")
        self.values = torch.ones(2)

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, str, int]:
        x = (x + self.values) * self.scale * self.table["a"]
        return x, self.name + self.pair[1], self.count + self.sizes[-1] + self.pair[0]


def build():
    return Net()


def inputs():
    return [(torch.tensor([1.0, -1.0]),), (torch.zeros(1, 1),)]
