"""Of a submodule that is annotated with an interface, compiled code knows the interface only."""

import torch
from torch import nn

from conformance.case import call


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass

    def scale(self, x: torch.Tensor, by: int) -> torch.Tensor:
        pass


class Add(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.n = n

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.n

    def scale(self, x: torch.Tensor, by: int) -> torch.Tensor:
        return self.forward(x) * by


class Net(nn.Module):
    layer: Layer

    def __init__(self):
        super().__init__()
        self.layer = Add(3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x)

    @torch.jit.export
    def scaled(self, x: torch.Tensor, by: int) -> torch.Tensor:
        return self.layer.scale(self.layer.forward(x), by)


def build():
    return Net()


def inputs():
    return [(torch.ones(2),), call(torch.ones(2), 4, method="scaled")]
