"""A ModuleDict is asked with `in`, indexed by constant keys and walked by items in order."""

from typing import Tuple

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"relu": nn.ReLU(), "tanh": nn.Tanh()})

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, str, int]:
        names = ""
        for name, part in self.parts.items():
            names += name
            x = part(x)
        if "relu" in self.parts and "gelu" not in self.parts:
            x = self.parts["relu"](x)
        return x, names, len(self.parts)


def build():
    return Net()


def inputs():
    return [(torch.tensor([-1.0, 1.0]),), (torch.zeros(0),)]
