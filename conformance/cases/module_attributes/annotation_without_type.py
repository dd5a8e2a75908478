"""An attribute that the class annotates with what is no type is refused, also if nothing uses it."""

from typing import Callable, Optional

from torch import Tensor, nn


class Net(nn.Module):
    scale: Optional[float]
    activation: Optional[Callable[[Tensor], Tensor]]  # error

    def __init__(self):
        super().__init__()
        self.scale = None
        self.activation = None

    def forward(self, x: Tensor) -> Tensor:
        return x


def build():
    return Net()
