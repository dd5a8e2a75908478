"""`self.training` is an attribute read at run time, in submodules too."""

import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training:
            return self.norm(self.drop(x))
        return self.drop(x) - self.norm(x)


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.train_part = Noisy()
        self.eval_part = Noisy().eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.train_part(x)
        return y + self.eval_part(x)


def build():
    return Both()


def inputs():
    x = torch.tensor([[1.0, 2.0], [3.0, -4.0], [0.5, 0.0]])
    return [(x,), (x + 1,), (torch.ones(1, 2),)]
