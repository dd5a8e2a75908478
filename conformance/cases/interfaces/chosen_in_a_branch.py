"""In control flow a name that stands for a submodule keeps standing for it, with an interface too."""

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
    one: Layer
    two: Layer

    def __init__(self):
        super().__init__()
        self.one = Add(1)
        self.two = Count()

    def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
        layer = self.one
        if n > 0:
            layer = self.two  # error
        return layer(x)


def build():
    return Net()
