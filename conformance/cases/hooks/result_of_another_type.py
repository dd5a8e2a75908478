"""A hook may return another type than it was given; the next hook, and the caller, get that."""

from typing import List, Tuple

import torch
from torch import nn


class Inner(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


def counted(self, inputs: Tuple[torch.Tensor], output: torch.Tensor) -> Tuple[torch.Tensor, int]:
    return output, inputs[0].size(0)


def listed(self, inputs: Tuple[torch.Tensor], output: Tuple[torch.Tensor, int]) -> List[int]:
    return [output[1], output[0].dim(), int(output[0].sum())]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.inner.register_forward_hook(counted)
        self.inner.register_forward_hook(listed)

    def forward(self, x: torch.Tensor) -> int:
        found = self.inner(x)
        return found[0] * 100 + len(found) * 10 + found[-1]


def build():
    return Net()


def inputs():
    return [(torch.tensor([1, 2]),), (torch.ones(0),)]
