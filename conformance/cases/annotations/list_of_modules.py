"""A class of modules is no type; of a list, what is told is its element."""

from typing import List

from torch import Tensor, nn


class Layer(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


def program(
    x: Tensor,
    layers: List[
        Layer  # error
    ],
) -> Tensor:
    return x
