"""children() and named_children() go over submodules that are declared with an interface, too."""

from typing import List, Tuple

import torch
from torch import nn


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


class Add(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.n = n

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.n


class Count(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        return x * self.calls


class Net(nn.Module):
    middle: Layer

    def __init__(self):
        super().__init__()
        self.first = Add(1)
        self.middle = Count()
        self.last = Add(-3)

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, List[str]]:
        names: List[str] = []
        for name, child in self.named_children():
            names.append(name)
            x = child(x)
        for child in self.children():
            x = child.forward(x)
        return x, names


def build():
    return Net()


def inputs():
    return [(torch.ones(2),), (torch.tensor(1),)]
