"""A submodule is no value of any other type that its class annotates it with."""

from typing import Any

from torch import Tensor, nn


class Net(nn.Module):
    layer: Any  # error

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)


def build():
    return Net()
