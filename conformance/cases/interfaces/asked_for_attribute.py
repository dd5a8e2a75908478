"""What an interface of modules does not declare cannot be asked for: there is no answer for all modules."""

import torch
from torch import Tensor, nn


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class Doubling(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2


class Net(nn.Module):
    layer: Layer

    def __init__(self):
        super().__init__()
        self.layer = Doubling()

    def forward(self, x: Tensor) -> Tensor:
        if hasattr(self, "layer"):
            x = self.layer(x)
        if hasattr(self.layer, "weight"):  # error
            x = x + 1
        return x


def build():
    return Net()
