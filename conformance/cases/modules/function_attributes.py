"""A function or a bound method stored as an attribute is called like a method, compiled on first use."""

import torch
import torch.nn.functional as F
from torch import nn


def double(x: torch.Tensor) -> torch.Tensor:
    return x + x


class Apply(nn.Module):
    def __init__(self, activation, own):
        super().__init__()
        self.activation = activation
        self.own = own

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.own(self.activation(x))


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Apply(F.relu, double)
        self.second = Apply(torch.tanh, F.hardtanh)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.first(x) - self.second(x)


def build():
    return Pair()


def inputs():
    return [(torch.tensor([-1.0, 2.0]),), (torch.zeros(0),)]
