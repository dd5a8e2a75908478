"""A static method is called through the module or its class; a quantisation scheme is an int."""

import torch
from torch import nn


class Scale(nn.Module):
    @staticmethod
    def twice(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.twice(x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale()
        self.scheme = torch.per_tensor_affine

    @staticmethod
    def twice(x: torch.Tensor) -> torch.Tensor:
        return x + 100

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.scheme == torch.per_tensor_symmetric:
            return x
        return self.scale(x) + Scale.twice(x) - Model.twice(x) + self.twice(x)


def build():
    return Model()


def inputs():
    return [(torch.ones(2),), (torch.zeros(1),)]
