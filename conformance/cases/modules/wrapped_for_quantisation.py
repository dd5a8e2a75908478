"""What `torch.ao.quantization.QuantWrapper` annotates its submodules with is no declaration."""

import torch
from torch import nn


class Twice(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


def build():
    return torch.ao.quantization.QuantWrapper(Twice())


def inputs():
    return [(torch.ones(2),)]
