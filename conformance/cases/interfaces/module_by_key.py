"""A key that is a variable chooses among the members of a ModuleDict, by an interface."""

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
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({"add": Add(5), "count": Count()})

    def forward(self, x: torch.Tensor, name: str) -> torch.Tensor:
        layer: Layer = self.layers[name]
        if "add" in self.layers:
            x = x + len(self.layers)
        return layer.forward(x)


def build():
    return Net()


def inputs():
    return [
        (torch.ones(1), "add"),
        (torch.ones(1), "count"),
        (torch.ones(1), "count"),
        (torch.ones(1), "sub"),
    ]
