"""A submodule that is declared with an interface is bound to a name, called, passed on and kept in a list."""

from typing import List

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


def twice(layer: Layer, x: torch.Tensor) -> torch.Tensor:
    return layer.forward(layer.forward(x))


class Net(nn.Module):
    layer: Layer

    def __init__(self):
        super().__init__()
        self.layer = Count()
        self.add = Add(10)

    def chosen(self) -> Layer:
        return self.layer

    def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
        layer = self.layer
        for _ in range(n):
            x = layer(x)
        layers: List[Layer] = [self.add, layer]
        return layers[n % 2].forward(twice(self.layer, x)) + self.chosen().forward(x)


def build():
    return Net()


def inputs():
    return [(torch.ones(2), 2), (torch.tensor([1]), 3)]
