"""modules() goes to all depths, and what is below an interface is not known."""

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

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for child in self.children():
            x = child(x)
        for module in self.modules():  # error
            x = x + 1
        return x


def build():
    return Net()
