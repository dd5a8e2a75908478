"""hasattr and getattr know the methods that an interface of modules declares; of a class's interface they know nothing."""

from typing import Tuple

import torch
from torch import Tensor, nn


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass

    def scale(self, factor: float) -> float:
        pass


class Doubling(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2

    @torch.jit.export
    def scale(self, factor: float) -> float:
        return factor * 2


class Net(nn.Module):
    layer: Layer

    def __init__(self):
        super().__init__()
        self.layer = Doubling()

    def forward(self, x: Tensor) -> Tuple[Tensor, bool, bool]:
        layer = self.layer
        if hasattr(layer, "scale"):
            x = x + layer.scale(0.25)
        return getattr(self.layer, "forward")(x), hasattr(self, "layer"), hasattr(self, "depth")


def build():
    return Net()


def inputs():
    return [(torch.ones(2),)]
