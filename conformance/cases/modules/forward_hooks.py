"""A call of a module runs its pre-hooks before `forward` and its hooks after it; a call of `forward` itself does not."""

from typing import Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = 2

    def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
        return x * self.factor + n


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        return self.inner(x, 1), self.inner.forward(x, 1)


def shift(self, input: Tuple[torch.Tensor, int]) -> Tuple[torch.Tensor, int]:
    return input[0] + self.factor, input[1] + 1


def look(self, input: Tuple[torch.Tensor, int]) -> None:
    print(input[1])


def scale(self, input: Tuple[torch.Tensor, int], output: torch.Tensor):
    return output * input[1] * self.factor


def negate(self, input: Tuple[torch.Tensor]) -> torch.Tensor:
    return -input[0]


def swap(
    self, input: Tuple[torch.Tensor], output: Tuple[torch.Tensor, torch.Tensor]
) -> Tuple[torch.Tensor, torch.Tensor]:
    return output[1], output[0] + input[0]


def build():
    model = Outer()
    model.inner.register_forward_pre_hook(shift)
    model.inner.register_forward_pre_hook(look)
    model.inner.register_forward_pre_hook(shift)
    model.inner.register_forward_hook(scale)
    model.register_forward_pre_hook(negate)
    model.register_forward_hook(swap)
    return model


def inputs():
    return [(torch.ones(2),), (torch.zeros(1),)]
