"""Final attributes are constants of the program: numbers, strings, tuples and lists of them."""

from typing import Final, List, Tuple

import torch
from torch import nn


class Net(nn.Module):
    factor: Final[int]
    names: Final[List[str]]
    shape: Final[Tuple[int, int]]

    def __init__(self):
        super().__init__()
        self.factor = 3
        self.names = ["a", "b"]
        self.shape = (2, 2)

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, str]:
        text = ""
        for name in self.names:
            text += name
        return (x * self.factor).view(self.shape), text


def build():
    return Net()


def inputs():
    return [(torch.arange(4),), (torch.zeros(2, 2),), (torch.zeros(3),)]
