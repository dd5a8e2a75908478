"""An interface is not a program."""
import torch
from torch import Tensor, nn


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class Double(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2


class Net(nn.Module):
    layer: Layer

    def __init__(self):
        super().__init__()
        self.layer = Double()

    def forward(self, x: Tensor) -> Tensor:
        return self.layer.forward(x)
