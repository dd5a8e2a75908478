"""A ParameterList is walked like a list of tensors, its length known while compiling."""

import torch
from torch import nn


class Poly(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(torch.tensor(float(k))) for k in range(1, 4)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        total = torch.zeros_like(x)
        for i, weight in enumerate(self.weights):
            total = total + weight * x**i
        return total


def build():
    return Poly()


def inputs():
    return [(torch.tensor([1.0, 2.0]),), (torch.tensor(-1.0),)]
