"""A class annotates its submodules with interfaces only; methods may name a class of modules."""

from torch import Tensor, nn


class Net(nn.Module):
    layer: nn.Linear  # error

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)


def build():
    return Net()
