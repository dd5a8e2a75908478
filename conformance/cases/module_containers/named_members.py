"""A module's members are walked by named_children and children, with their names as strings."""

from typing import List, Tuple

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Tanh()
        self.act = nn.ReLU()

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, List[str]]:
        names: List[str] = []
        for name, child in self.named_children():
            names.append(name)
            x = child(x)
        for child in self.children():
            x = child(x)
        return x, names


def build():
    return Net()


def inputs():
    return [(torch.tensor([-1.0, 2.0]),), (torch.zeros(0),)]
