"""Methods have defaults and keywords as functions have; None is a default of Optional parameters."""

from typing import Optional

import torch
from torch import nn

from conformance.case import call


class Net(nn.Module):
    def forward(self, x: torch.Tensor, bias: Optional[torch.Tensor] = None, scale: float = 2.0) -> torch.Tensor:
        return self.changed(x, factor=scale, bias=bias)

    def changed(self, x: torch.Tensor, bias: Optional[torch.Tensor], factor: float = 1.0, shift: int = 1) -> torch.Tensor:
        if bias is not None:
            x = x + bias
        return x * factor + shift


def build():
    return Net()


def inputs():
    one = torch.ones(2)
    return [(one,), (one, one), call(one, scale=0.5), call(one, bias=None, scale=0.0), call(bias=one)]
